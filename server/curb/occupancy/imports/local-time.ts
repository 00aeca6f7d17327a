import type { CivilClock } from '#contract/civil-clock.ts'

/** A time of a file: an instant, or what a local clock shows. */
export type FileTime = { ms: number } | { day: number; seconds: number }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const [dayMs, hourSeconds] = [86_400_000, 3600]

/** The order of day and month in dates such as 3/4/2019, which is of the file as a whole. */
export type DayOrder = 'mdy' | 'dmy'

function dayOf(year: number, month: number, day: number): number | null {
  const ms = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day)
  const date = new Date(ms)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms / dayMs : null
}

/** The number of a day since 1970-01-01; null if the text is no date. */
export function readDay(text: string, order: DayOrder): number | null {
  const ymd =
    /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(text) ?? /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text)
  if (ymd) return dayOf(Number(ymd[1]), Number(ymd[2]), Number(ymd[3]))
  const named = /^(\d{1,2})[- ]([A-Za-z]{3})[a-z]*[- ,]+(\d{2}|\d{4})$/.exec(text)
  if (named) return dayOf(Number(named[3]), months.indexOf(named[2]!.toLowerCase()) + 1, Number(named[1]))
  const other = /^([A-Za-z]{3})[a-z]* (\d{1,2}),? (\d{4})$/.exec(text)
  if (other) return dayOf(Number(other[3]), months.indexOf(other[1]!.toLowerCase()) + 1, Number(other[2]))
  const parts = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})$/.exec(text)
  if (!parts) return null
  const [one, two, year] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return order === 'mdy' ? dayOf(year, one, two) : dayOf(year, two, one)
}

/** Seconds after midnight of 8:05, 08:05:30, 8 AM, 5:00 p.m., 0805 and 24:00; null if the text is no time of day. */
export function readTimeOfDay(text: string): number | null {
  const match =
    /^(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2})(?:[.,]\d+)?)?\s*([ap])\.?\s*m\.?$/i.exec(text) ??
    /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?()$/.exec(text) ??
    /^(\d{2})(\d{2})()()$/.exec(text)
  if (!match) return null
  let hour = Number(match[1])
  const [minute, second] = [Number(match[2] ?? 0), Number(match[3] || 0)]
  const half = match[4]?.toLowerCase()
  if (half && (hour < 1 || hour > 12)) return null
  if (half) hour = (hour % 12) + (half === 'p' ? 12 : 0)
  if (minute > 59 || second > 59 || hour > 24 || (hour === 24 && minute + second > 0)) return null
  return hour * hourSeconds + minute * 60 + second
}

const withZone = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?\s*(Z|[+-]\d{2}:?\d{2})$/i

/** A date with a time of day; null if the text is none. `isUtc`: without a zone, it is UTC. */
export function readFileTime(text: string, order: DayOrder, isUtc = false): FileTime | null {
  const zoned = withZone.exec(text)
  if (zoned) {
    const ms = Date.parse(`${zoned[1]}T${zoned[2]}${zoned[3]}`)
    return Number.isNaN(ms) || readDay(zoned[1]!, order) === null ? null : { ms }
  }
  if (/^\d{10}$/.test(text)) return { ms: Number(text) * 1000 }
  if (/^\d{13}$/.test(text)) return { ms: Number(text) }
  // The time is what follows the last blank or T that a clock follows; dates may have blanks of their own.
  const cut = /^(.*\d)(?:, |[T ])(\d{1,2}[:.]?\d{2}.*|\d{1,2}\s*[ap]\.?\s*m\.?)$/i.exec(text)
  const day = readDay(cut ? cut[1]! : text, order)
  const seconds = cut ? readTimeOfDay(cut[2]!.replace(/\.\d+(?=\s|$)/, '')) : 0
  if (day === null || seconds === null) return null
  return isUtc ? { ms: day * dayMs + seconds * 1000 } : { day, seconds }
}

/** Which order the dates of some texts have: the one in which all of them exist; month first if both are possible. */
export function orderOf(texts: readonly string[]): DayOrder {
  const parts = texts.flatMap((text) => /^(\d{1,2})[-/.](\d{1,2})[-/.]\d{2,4}\b/.exec(text) ?? [])
  return parts.some((text, index) => index % 3 === 1 && Number(text) > 12) ? 'dmy' : 'mdy'
}

/** The instants of a time: none if the clock never showed it, two if it showed it twice. */
export function instantsOf(time: FileTime, clock: CivilClock): number[] {
  if ('ms' in time) return [time.ms]
  const { ms, skipped, second } = clock.instant(time.day, time.seconds)
  return skipped ? [] : second === null ? [ms] : [ms, second]
}
