import type { CivilClock } from '#contract/civil-clock.ts'
import { dayMs } from '#contract/period.ts'
import { type DateOrder, readClock, readDate } from '#server/table-files/read-time.ts'

/** The format of the times of a file. */
export interface TimeStyle {
  order: DateOrder
  /** Whether times of day without AM or PM may be in either half of the day. */
  isTwelveHour: boolean
  /** Whether offsets from UTC are ignored, because they are wrong. */
  ignoresOffsets: boolean
  clock: CivilClock
}

/** The instants (ms) that a text may mean, and why it is doubtful. */
export interface TimeReading {
  candidates: number[]
  /** `half`: without AM or PM. `repeated`: the clock showed it twice. `skipped`: never; moved forward. */
  doubt: 'half' | 'repeated' | 'skipped' | null
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const offsetAtEnd = /^(.*:.*?\d)\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)$/i
const halfAtEnd = /\b([ap])\.?\s?m\.?$/i
const daySeconds = 86_400
/** 1990-01-01. Earlier times come from devices with a clock that was not set. */
const firstDay = Date.UTC(1990, 0, 1) / dayMs

/** Converts `1-Jan-2015`, `Jan 1, 2015`, `1 January 15` and `20150101` to year, month and day. */
function normalizeDate(text: string): string {
  if (/^\d{1,4}[-/.]/.test(text) && !/[a-z]/i.test(text)) return text
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (compact) return `${compact[1]}-${compact[2]}-${compact[3]}`
  const dayFirst = /^(\d{1,2})[-\s.]+([a-z]{3})[a-z]*[-\s.,]+(\d{2}|\d{4})$/i.exec(text)
  const monthFirst = /^([a-z]{3})[a-z]*[-\s.]+(\d{1,2})[-\s,]+(\d{2}|\d{4})$/i.exec(text)
  const yearFirst = /^(\d{4})[-\s]+([a-z]{3})[a-z]*[-\s]+(\d{1,2})$/i.exec(text)
  const day = dayFirst?.[1] ?? monthFirst?.[2] ?? yearFirst?.[3]
  const month = dayFirst?.[2] ?? monthFirst?.[1] ?? yearFirst?.[2]
  const year = dayFirst?.[3] ?? monthFirst?.[3] ?? yearFirst?.[1]
  const monthIndex = months.indexOf((month ?? '').toLowerCase())
  if (day === undefined || year === undefined || monthIndex < 0) return text
  return `${year.length === 2 ? `20${year}` : year}-${monthIndex + 1}-${day}`
}

/** Splits a text into its date and its time of day, which may be missing. */
function splitTime(text: string): { date: string; time: string } {
  const index = /[T ]\s*\d{1,2}:\d{2}/.exec(text)?.index ?? -1
  return index < 0
    ? { date: text, time: '' }
    : { date: text.slice(0, index), time: text.slice(index + 1).trim() }
}

/** Returns the date of a text with the time of day in another column. */
export const getDatePart = (text: string): string => splitTime(text).date.replace(/T$/, '')

/** Days by their texts, because the same dates occur in many rows. */
const daysByText = new Map<string, number | null>()

const maxCachedDays = 20_000

function readDay(text: string, order: DateOrder): number | null {
  const key = `${order}${text}`
  const cached = daysByText.get(key)
  if (cached !== undefined) return cached
  if (daysByText.size > maxCachedDays) daysByText.clear()
  const day = readDate(normalizeDate(text.replace(/,$/, '').trim()), order)
  const validDay = day === null || day < firstDay ? null : day
  daysByText.set(key, validDay)
  return validDay
}

/** Reads a date with a time of day, or seconds or milliseconds since 1970; null if the text is neither. */
export function readPaymentTime(text: string, style: TimeStyle): TimeReading | null {
  if (/^\d{10}(\d{3})?$/.test(text))
    return { candidates: [Number(text) * (text.length === 10 ? 1000 : 1)], doubt: null }
  const withOffset = offsetAtEnd.exec(text)
  const { date, time } = splitTime(withOffset?.[1] ?? text)
  if (time === '') return null
  const day = readDay(date, style.order)
  const half = halfAtEnd.exec(time)
  const seconds = readClock(half ? `${time.slice(0, half.index).trim()} ${half[1]}m` : time)
  if (day === null || seconds === null) return null
  if (withOffset && !style.ignoresOffsets) {
    const offset = /^([+-])(\d{2}):?(\d{2})?$/.exec(withOffset[2] ?? '')
    const minutes = offset
      ? (Number(offset[2]) * 60 + Number(offset[3] ?? 0)) * (offset[1] === '-' ? -1 : 1)
      : 0
    return { candidates: [(day * daySeconds + seconds - minutes * 60) * 1000], doubt: null }
  }
  return findCandidates(day, seconds, style.isTwelveHour && half === null, style.clock)
}

/** Finds the instants at which the clock shows a time, in both halves of the day if AM or PM is missing. */
function findCandidates(day: number, seconds: number, lacksHalf: boolean, clock: CivilClock): TimeReading {
  if (lacksHalf && seconds < 13 * 3600 && seconds >= 0) {
    const base = seconds % (12 * 3600)
    return {
      candidates: [base, base + 12 * 3600].map((clockSeconds) => clock.instant(day, clockSeconds).ms),
      doubt: 'half',
    }
  }
  const { ms, skipped, repeatedMs } = clock.instant(day, seconds)
  if (skipped) return { candidates: [ms], doubt: 'skipped' }
  if (repeatedMs === null) return { candidates: [ms], doubt: null }
  return { candidates: [ms, repeatedMs], doubt: 'repeated' }
}
