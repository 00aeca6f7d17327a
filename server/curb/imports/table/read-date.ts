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

const padToTwo = (number: number | string): string => String(number).padStart(2, '0')

/** Converts a date to `YYYY-MM-DD`. Null if its form is unknown or ambiguous. */
function toIsoDay(text: string): string | null {
  const yearMonthDay = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?$/.exec(text)
  if (yearMonthDay)
    return `${yearMonthDay[1]}-${padToTwo(yearMonthDay[2] ?? '')}-${padToTwo(yearMonthDay[3] ?? '')}`
  const dayMonthYear = /^(\d{1,2})-([A-Za-z]{3})-(\d{2}|\d{4})$/.exec(text)
  if (dayMonthYear) {
    const month = months.indexOf((dayMonthYear[2] ?? '').toLowerCase())
    const year = Number(dayMonthYear[3]) < 100 ? 2000 + Number(dayMonthYear[3]) : Number(dayMonthYear[3])
    return month < 0 ? null : `${year}-${padToTwo(month + 1)}-${padToTwo(dayMonthYear[1] ?? '')}`
  }
  const numericDate = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: .*)?$/.exec(text)
  if (!numericDate) return null
  const first = Number(numericDate[1])
  const second = Number(numericDate[2])
  const year = numericDate[3]
  if (first > 12 && second <= 12) return `${year}-${padToTwo(second)}-${padToTwo(first)}`
  if (second > 12 || first === second) return `${year}-${padToTwo(first)}-${padToTwo(second)}`
  return null
}
