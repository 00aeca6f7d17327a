/** A civil date and time as text says it, or an instant where the text carries a zone. */
export type ReadTime = { day: number; seconds: number } | { ms: number }

export const dateOrders = ['ymd', 'mdy', 'dmy'] as const
export type DateOrder = (typeof dateOrders)[number]

const datePattern = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/
const clockPattern = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(am|pm)?$/i
const withZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})$/i

/** Days of texts read before, by order: the dates of a file are few and come again and again. */
const memo: Record<DateOrder, Map<string, number | null>> = { ymd: new Map(), mdy: new Map(), dmy: new Map() }

/**
 * Day number (days since 1970-01-01) of a date's text. A year of four digits in front is always year, month, day; any other
 * text is read in `order` only. Years of two digits are of this century. Null: no such day.
 */
export function readDate(text: string, order: DateOrder): number | null {
  const days = memo[order]
  const known = days.get(text)
  if (known !== undefined) return known
  if (days.size > 20_000) days.clear()
  const day = parseDate(text, order)
  days.set(text, day)
  return day
}

function parseDate(text: string, order: DateOrder): number | null {
  const match = datePattern.exec(text)
  if (!match) return null
  const [a, b, c] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [first, last] = [(match[1] as string).length, (match[3] as string).length]
  const isYearFirst = first === 4 || order === 'ymd'
  // Nobody writes a year with one digit, so 7/1/19 begins with a month or a day.
  if (isYearFirst ? first !== 4 && !(first === 2 && last <= 2) : last !== 4 && last !== 2) return null
  const [year, month, day] = isYearFirst ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b]
  const full = (isYearFirst ? first : last) === 2 ? 2000 + year : year
  const ms = Date.UTC(full, month - 1, day)
  const date = new Date(ms)
  // Date.UTC rolls 31 April over to May, and takes years under 100 for 19xx.
  return full >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? ms / 86_400_000
    : null
}

/** The number of two digits in a text; NaN where they are none. */
function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48]
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** Seconds after midnight of 08:05:30 and 08:05, the forms of most files; NaN for any other text. */
function readPlainClock(text: string): number {
  if (text.charCodeAt(2) !== 58) return Number.NaN
  const hasSeconds = text.length === 8 && text.charCodeAt(5) === 58
  if (!hasSeconds && text.length !== 5) return Number.NaN
  const [hour, minute] = [twoDigits(text, 0), twoDigits(text, 3)]
  const second = hasSeconds ? twoDigits(text, 6) : 0
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : Number.NaN
}

/** Seconds after midnight of a clock's text: 8:05, 08:05:30, 8:05 PM, 24:00. Null: no such time. */
export function readClock(text: string): number | null {
  const plain = readPlainClock(text)
  if (!Number.isNaN(plain)) return plain
  const match = clockPattern.exec(text)
  if (!match) return null
  let hour = Number(match[1])
  const [minute, second] = [Number(match[2]), Number(match[3] ?? 0)]
  const half = match[4]?.toLowerCase()
  if (half && (hour < 1 || hour > 12)) return null
  if (half) hour = (hour % 12) + (half === 'pm' ? 12 : 0)
  if (minute > 59 || second > 59 || hour > 24 || (hour === 24 && (minute > 0 || second > 0))) return null
  return hour * 3600 + minute * 60 + second
}

/** A date and time in one text: civil, with a zone, or epoch seconds or milliseconds. Null: none of these. */
export function readDateTime(text: string, order: DateOrder): ReadTime | null {
  const cut = text.search(/[T ]/)
  if (cut < 0) {
    if (/^\d{10}$/.test(text)) return { ms: Number(text) * 1000 }
    if (/^\d{13}$/.test(text)) return { ms: Number(text) }
    return null
  }
  const seconds = readClock(text.slice(cut + 1).trim())
  if (seconds !== null) {
    const day = readDate(text.slice(0, cut), order)
    return day === null ? null : { day, seconds }
  }
  if (withZone.test(text)) {
    // Date.parse takes 30 February for 2 March.
    if (readDate(text.slice(0, 10), order) === null) return null
    const ms = Date.parse(text.replace(' ', 'T').replace(/\s/g, '').replace(',', '.'))
    return Number.isNaN(ms) ? null : { ms }
  }
  return null
}
