import { dayMs } from '#contract/period.ts'

/** A local date and time (days since 1970, seconds since midnight), or an instant if the text has a zone. */
export type ParsedTime = { day: number; seconds: number } | { ms: number }

/** Orders of the parts of a date: year, month and day. */
export const dateOrders = ['ymd', 'mdy', 'dmy'] as const
export type DateOrder = (typeof dateOrders)[number]

const datePattern = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/
const clockPattern = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(am|pm)?$/i
const zonedPattern = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})$/i

/** Character codes. */
const zeroCode = 48
const colonCode = 58

const maxCachedDates = 20_000
/** Caches parsed dates by order, because a file has few different dates. */
type DayByText = Map<string, number | null>
const parsedDates: Record<DateOrder, DayByText> = { ymd: new Map(), mdy: new Map(), dmy: new Map() }

/**
 * Parses a date. A date that begins with four digits is year, month, day; any other is read in `order`. Years
 * of two digits are in this century. Returns days since 1970-01-01; null if there is no such day.
 */
export function readDate(text: string, order: DateOrder): number | null {
  const days = parsedDates[order]
  const cached = days.get(text)
  if (cached !== undefined) return cached
  if (days.size > maxCachedDates) days.clear()
  const day = parseDate(text, order)
  days.set(text, day)
  return day
}

function parseDate(text: string, order: DateOrder): number | null {
  const match = datePattern.exec(text)
  if (!match) return null
  const numbers = [Number(match[1]), Number(match[2]), Number(match[3])] as const
  const firstDigits = (match[1] as string).length
  const lastDigits = (match[3] as string).length
  const isYearFirst = firstDigits === 4 || order === 'ymd'
  // Years have two or four digits, so 7/1/19 cannot begin with a year.
  const isValidYear = isYearFirst
    ? firstDigits === 4 || (firstDigits === 2 && lastDigits <= 2)
    : lastDigits === 4 || lastDigits === 2
  if (!isValidYear) return null
  const [year, month, day] = toYearMonthDay(numbers, isYearFirst ? 'ymd' : order)
  const fullYear = (isYearFirst ? firstDigits : lastDigits) === 2 ? 2000 + year : year
  const ms = Date.UTC(fullYear, month - 1, day)
  const date = new Date(ms)
  // Date.UTC converts April 31 to May 1, and years below 100 to 19xx.
  return fullYear >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms / dayMs : null
}

/** Returns the year, month and day of three numbers that are in an order. */
function toYearMonthDay(
  [a, b, c]: readonly [number, number, number],
  order: DateOrder,
): [number, number, number] {
  if (order === 'ymd') return [a, b, c]
  return order === 'dmy' ? [c, b, a] : [c, a, b]
}

/** Reads the number of two digits at an index of a text; NaN if they are not digits. */
function readTwoDigits(text: string, index: number): number {
  const tens = text.charCodeAt(index) - zeroCode
  const ones = text.charCodeAt(index + 1) - zeroCode
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** Parses 08:05:30 and 08:05, the most frequent formats, to seconds since midnight; NaN for other texts. */
function readPlainClock(text: string): number {
  if (text.charCodeAt(2) !== colonCode) return Number.NaN
  const hasSeconds = text.length === 8 && text.charCodeAt(5) === colonCode
  if (!hasSeconds && text.length !== 5) return Number.NaN
  const hour = readTwoDigits(text, 0)
  const minute = readTwoDigits(text, 3)
  const second = hasSeconds ? readTwoDigits(text, 6) : 0
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : Number.NaN
}

/** Parses a time such as 8:05, 08:05:30, 8:05 PM or 24:00 to seconds since midnight; null if invalid. */
export function readClock(text: string): number | null {
  const plain = readPlainClock(text)
  if (!Number.isNaN(plain)) return plain
  const match = clockPattern.exec(text)
  if (!match) return null
  let hour = Number(match[1])
  const minute = Number(match[2])
  const second = Number(match[3] ?? 0)
  const meridiem = match[4]?.toLowerCase()
  if (meridiem && (hour < 1 || hour > 12)) return null
  if (meridiem) hour = (hour % 12) + (meridiem === 'pm' ? 12 : 0)
  if (minute > 59 || second > 59 || hour > 24 || (hour === 24 && (minute > 0 || second > 0))) return null
  return hour * 3600 + minute * 60 + second
}

/** Parses a date with a time, zoned or not, or seconds or ms since 1970; null if it is invalid. */
export function readDateTime(text: string, order: DateOrder): ParsedTime | null {
  const separator = text.search(/[T ]/)
  if (separator < 0) {
    if (/^\d{10}$/.test(text)) return { ms: Number(text) * 1000 }
    if (/^\d{13}$/.test(text)) return { ms: Number(text) }
    return null
  }
  const seconds = readClock(text.slice(separator + 1).trim())
  if (seconds !== null) {
    const day = readDate(text.slice(0, separator), order)
    return day === null ? null : { day, seconds }
  }
  if (zonedPattern.test(text)) {
    // Date.parse converts February 30 to March 2.
    if (readDate(text.slice(0, 10), order) === null) return null
    const ms = Date.parse(text.replace(' ', 'T').replace(/\s/g, '').replace(',', '.'))
    return Number.isNaN(ms) ? null : { ms }
  }
  return null
}
