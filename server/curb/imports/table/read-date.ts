import { startOfDay } from '#contract/civil-clock.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Reads the start of a date in the time zone (ms); null unless the order of day and month is certain. */
export function readDate(text: string, timeZone: string): number | null {
  const day = toIsoDay(text)
  if (day === null) return null
  const ms = Date.parse(`${day}T00:00:00Z`)
  const exists = Number.isFinite(ms) && new Date(ms).toISOString().startsWith(day)
  return exists && ms >= 0 ? startOfDay(day, timeZone) : null
}

const pad = (number: number | string): string => String(number).padStart(2, '0')

/** Converts a date to `YYYY-MM-DD`. Null if its form is unknown or ambiguous. */
function toIsoDay(text: string): string | null {
  const ymd = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?$/.exec(text)
  if (ymd) return `${ymd[1]}-${pad(ymd[2] ?? '')}-${pad(ymd[3] ?? '')}`
  const named = /^(\d{1,2})-([A-Za-z]{3})-(\d{2}|\d{4})$/.exec(text)
  if (named) {
    const month = months.indexOf((named[2] ?? '').toLowerCase())
    const year = Number(named[3]) < 100 ? 2000 + Number(named[3]) : Number(named[3])
    return month < 0 ? null : `${year}-${pad(month + 1)}-${pad(named[1] ?? '')}`
  }
  const slashes = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: .*)?$/.exec(text)
  if (!slashes) return null
  const [first, second, year] = [Number(slashes[1]), Number(slashes[2]), slashes[3]]
  if (first > 12 && second <= 12) return `${year}-${pad(second)}-${pad(first)}`
  if (second > 12 || first === second) return `${year}-${pad(first)}-${pad(second)}`
  return null
}
