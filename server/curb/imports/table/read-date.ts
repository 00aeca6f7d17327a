import { startOfDay } from '#contract/civil-clock.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Start of the day of a date in the zone, ms; null unless the order of day and month is certain. */
export function readDate(text: string, timeZone: string): number | null {
  const day = dayOf(text)
  if (day === null) return null
  const ms = Date.parse(`${day}T00:00:00Z`)
  const exists = Number.isFinite(ms) && new Date(ms).toISOString().startsWith(day)
  return exists && ms >= 0 ? startOfDay(day, timeZone) : null
}

const pad = (number: number | string): string => String(number).padStart(2, '0')

function dayOf(text: string): string | null {
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
  const [one, other] = [Number(slashes[1]), Number(slashes[2])]
  if (one > 12 && other <= 12) return `${slashes[3]}-${pad(other)}-${pad(one)}`
  if (other > 12 || one === other) return `${slashes[3]}-${pad(one)}-${pad(other)}`
  return null
}
