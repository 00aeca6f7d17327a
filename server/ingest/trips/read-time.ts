/** A civil date and time as text says it, or an instant where the text carries a zone. */
export type ReadTime = { day: number; seconds: number } | { ms: number }

export const dateOrders = ['ymd', 'mdy', 'dmy'] as const
export type DateOrder = (typeof dateOrders)[number]

const datePattern = /^(\d{1,4})[-/.](\d{1,2})[-/.](\d{1,4})$/
const clockPattern = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(am|pm)?$/i
const withZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})$/i

const memo = new Map<string, number | null>()

/**
 * Day number (days since 1970-01-01) of a date's text. A year of four digits in front is always year, month, day; any other
 * text is read in `order` only. Years of two digits are of this century. Null: no such day.
 */
export function readDate(text: string, order: DateOrder): number | null {
  const key = order + text
  const known = memo.get(key)
  if (known !== undefined) return known
  if (memo.size > 20_000) memo.clear()
  const day = parseDate(text, order)
  memo.set(key, day)
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

/** Seconds after midnight of a clock's text: 8:05, 08:05:30, 8:05 PM, 24:00. Null: no such time. */
export function readClock(text: string): number | null {
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
  if (/^\d{10}$/.test(text)) return { ms: Number(text) * 1000 }
  if (/^\d{13}$/.test(text)) return { ms: Number(text) }
  if (withZone.test(text)) {
    // Date.parse takes 30 February for 2 March.
    if (readDate(text.slice(0, 10), order) === null) return null
    const ms = Date.parse(text.replace(' ', 'T').replace(/\s/g, '').replace(',', '.'))
    return Number.isNaN(ms) ? null : { ms }
  }
  const cut = text.search(/[T ]/)
  if (cut < 0) return null
  const day = readDate(text.slice(0, cut), order)
  const seconds = readClock(text.slice(cut + 1).trim())
  return day === null || seconds === null ? null : { day, seconds }
}
