import type { CivilClock } from '#contract/civil-clock.ts'
import { dayMs } from '#contract/period.ts'

/** A time in a file: an instant, or a day (since 1970-01-01) and the seconds that a local clock shows. */
export type FileTime = { ms: number } | { day: number; seconds: number }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const hourSeconds = 3600

/** The order of day and month in dates such as 3/4/2019; all dates of a file have the same one. */
export type DayOrder = 'mdy' | 'dmy'

/** Returns days since 1970-01-01; null if the date does not exist. Years with two digits are after 2000. */
function toDayNumber(year: number, month: number, day: number): number | null {
  const ms = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day)
  const date = new Date(ms)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms / dayMs : null
}

/** Returns the number of a day since 1970-01-01; null if the text is no date. */
export function readDay(text: string, order: DayOrder): number | null {
  const yearMonthDay =
    /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(text) ?? /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text)
  if (yearMonthDay)
    return toDayNumber(Number(yearMonthDay[1]), Number(yearMonthDay[2]), Number(yearMonthDay[3]))
  const dayMonthYear = /^(\d{1,2})[- ]([A-Za-z]{3})[a-z]*[- ,]+(\d{2}|\d{4})$/.exec(text)
  if (dayMonthYear)
    return toDayNumber(
      Number(dayMonthYear[3]),
      months.indexOf(dayMonthYear[2]!.toLowerCase()) + 1,
      Number(dayMonthYear[1]),
    )
  const monthDayYear = /^([A-Za-z]{3})[a-z]* (\d{1,2}),? (\d{4})$/.exec(text)
  if (monthDayYear)
    return toDayNumber(
      Number(monthDayYear[3]),
      months.indexOf(monthDayYear[1]!.toLowerCase()) + 1,
      Number(monthDayYear[2]),
    )
  const numericDate = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})$/.exec(text)
  if (!numericDate) return null
  const [first = 0, second = 0, year = 0] = numericDate.slice(1).map(Number)
  return order === 'mdy' ? toDayNumber(year, first, second) : toDayNumber(year, second, first)
}

/** Reads seconds after midnight: 8:05, 08:05:30, 8 AM, 5:00 p.m., 0805, 24:00; null if invalid. */
export function readTimeOfDay(text: string): number | null {
  // Groups of each pattern: hour, minute, second, and a or p.
  const match =
    /^(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2})(?:[.,]\d+)?)?\s*([ap])\.?\s*m\.?$/i.exec(text) ??
    /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?()$/.exec(text) ??
    /^(\d{2})(\d{2})()()$/.exec(text)
  if (!match) return null
  let hour = Number(match[1])
  const minute = Number(match[2] ?? 0)
  const second = Number(match[3] || 0)
  const period = match[4]?.toLowerCase()
  if (period && (hour < 1 || hour > 12)) return null
  if (period) hour = (hour % 12) + (period === 'p' ? 12 : 0)
  if (minute > 59 || second > 59 || hour > 24 || (hour === 24 && minute + second > 0)) return null
  return hour * hourSeconds + minute * 60 + second
}

/** A date and time with an offset from UTC. */
const offsetTimePattern =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?\s*(Z|[+-]\d{2}:?\d{2})$/i

/** Reads a date with an optional time; null for other texts. With `isUtc`, times without an offset are UTC. */
export function readFileTime(text: string, order: DayOrder, isUtc = false): FileTime | null {
  const zoned = offsetTimePattern.exec(text)
  if (zoned) {
    const ms = Date.parse(`${zoned[1]}T${zoned[2]}${zoned[3]}`)
    return Number.isNaN(ms) || readDay(zoned[1]!, order) === null ? null : { ms }
  }
  if (/^\d{10}$/.test(text)) return { ms: Number(text) * 1000 }
  if (/^\d{13}$/.test(text)) return { ms: Number(text) }
  // The time of day follows the last space or T before it; dates may contain spaces themselves.
  const parts = /^(.*\d)(?:, |[T ])(\d{1,2}[:.]?\d{2}.*|\d{1,2}\s*[ap]\.?\s*m\.?)$/i.exec(text)
  const day = readDay(parts ? parts[1]! : text, order)
  const seconds = parts ? readTimeOfDay(parts[2]!.replace(/\.\d+(?=\s|$)/, '')) : 0
  if (day === null || seconds === null) return null
  return isUtc ? { ms: day * dayMs + seconds * 1000 } : { day, seconds }
}

/** Returns the order in which all of the dates exist; month first if both orders are possible. */
export function detectDayOrder(texts: readonly string[]): DayOrder {
  const readFirst = (text: string) => Number(/^(\d{1,2})[-/.]\d{1,2}[-/.]\d{2,4}\b/.exec(text)?.[1] ?? 0)
  return texts.some((text) => readFirst(text) > 12) ? 'dmy' : 'mdy'
}

/** Returns the instants (ms) of a time: none if the local clock skipped it, two if it showed it twice. */
export function getInstants(time: FileTime, clock: CivilClock): number[] {
  if ('ms' in time) return [time.ms]
  const { ms, skipped, repeatedMs } = clock.instant(time.day, time.seconds)
  if (skipped) return []
  return repeatedMs === null ? [ms] : [ms, repeatedMs]
}
