import { civilClock } from '#contract/civil-clock.ts'
import {
  dayFromNumber,
  dayNumber,
  daysBetween,
  hourMs,
  type HourRange,
  hoursOfRange,
  isFullDay,
} from '#contract/period.ts'
import type { TimeBucket } from '#contract/spatial.ts'

/**
 * Time slices of equal length, each within one hour of a zone's clock. They are hours, or half hours if
 * daylight saving time shifts the clock by half an hour.
 */
export interface ClockSlices {
  lengthMs: number
  /** How much earlier than slices of UTC they begin. */
  shiftMs: number
}

/** The time of a question: the selected hours of the selected days in a time zone. */
export interface QueryTime {
  timezone: string
  /** Start of the first day and end of the last day, ms, half open. */
  from: number
  until: number
  /** ISO weekdays; empty: all. */
  days: readonly number[]
  /** Hours of the local day, both included. */
  hours: Readonly<HourRange>
  /** Whether every hour of every day is included. */
  isUnfiltered: boolean
  slices: ClockSlices
}

/** The time by which the values of a bucket are divided. */
export interface Span {
  days: number
  /** The elapsed part, ms. */
  ms: number
}

export interface TimeFilters {
  start_date: string
  end_date: string
  days: readonly number[]
  hour_filters: Readonly<HourRange>
}

/** Clamps a day number to the range of ClickHouse's Date type. */
const clampDay = (day: number): number => Math.min(Math.max(day, 1), dayNumber('2149-06-05'))
/** Returns the remainder, never negative. */
const modulo = (dividend: number, divisor: number): number => ((dividend % divisor) + divisor) % divisor

/** Returns the slices of a zone, from its offsets on January 1 and July 1, 2025. */
function makeClockSlices(timezone: string): ClockSlices {
  const clock = civilClock(timezone)
  const startOfDay = (day: string): number => clock.instant(dayNumber(day), 0).ms
  const january = startOfDay('2025-01-01')
  const july = startOfDay('2025-07-01')
  const lengthMs = modulo(january - july, hourMs) === 0 ? hourMs : hourMs / 2
  return { lengthMs, shiftMs: modulo(-january, lengthMs) }
}

/** Returns the starts of the slices that overlap a time range, ms. */
export function* getSliceBegins(
  { lengthMs, shiftMs }: ClockSlices,
  from: number,
  until: number,
): Generator<number> {
  const firstBegin = Math.floor((from + shiftMs) / lengthMs) * lengthMs - shiftMs
  for (let begin = firstBegin; begin < until; begin += lengthMs) yield begin
}

/** Converts the filters of a question to instants. */
export function readQueryTime(
  { start_date, end_date, days, hour_filters }: TimeFilters,
  timezone: string,
): QueryTime {
  const clock = civilClock(timezone)
  const firstDay = clampDay(dayNumber(start_date))
  const lastDay = clampDay(dayNumber(end_date))
  return {
    timezone,
    days,
    hours: hour_filters,
    slices: makeClockSlices(timezone),
    from: clock.instant(firstDay, 0).ms,
    until: clock.instant(lastDay + 1, 0).ms,
    isUnfiltered: (days.length === 0 || days.length === 7) && isFullDay(hour_filters),
  }
}

/** Lists all buckets of a question, including those that its filters exclude. */
export function listBuckets(
  { start_date, end_date }: Pick<TimeFilters, 'start_date' | 'end_date'>,
  bucket: TimeBucket,
): string[] {
  if (bucket === 'hour_of_day') return Array.from({ length: 24 }, (_, hour) => String(hour))
  return daysBetween(start_date, end_date)
}

/**
 * Returns the span of each bucket; if there are no buckets, that of the question under the key ''. Excluded
 * buckets have no span. Time after `now` (ms) has not elapsed.
 */
export function computeSpans(
  { start_date, end_date }: Pick<TimeFilters, 'start_date' | 'end_date'>,
  time: QueryTime,
  bucket: TimeBucket | null,
  now: number,
): Map<string, Span> {
  const spans = new Map<string, Span>()
  const isSelectedDay = (day: number): boolean =>
    // Day 0, January 1, 1970, was a Thursday (ISO weekday 4).
    !time.days.length || time.days.includes(modulo(day + 3, 7) + 1)
  const lastDay = dayNumber(end_date)
  let dayCount = 0
  for (let day = dayNumber(start_date); day <= lastDay; day++) {
    if (!isSelectedDay(day)) continue
    dayCount++
    if (bucket === 'day') spans.set(dayFromNumber(day), { days: 1, ms: 0 })
  }
  const hours = new Set(hoursOfRange(time.hours))
  if (bucket === 'hour_of_day')
    for (const hour of [...hours].toSorted((a, b) => a - b))
      spans.set(String(hour), { days: dayCount, ms: 0 })
  const until = Math.min(time.until, now)
  if (bucket === null) spans.set('', { days: dayCount, ms: 0 })
  const addTime = (key: string, ms: number): void => {
    const span = spans.get(key)
    if (span) span.ms += ms
  }
  if (bucket === null && time.isUnfiltered) {
    addTime('', Math.max(0, until - time.from))
    return spans
  }
  const clock = civilClock(time.timezone)
  for (const begin of getSliceBegins(time.slices, time.from, until)) {
    const { day, hour } = clock.local(begin)
    if (!isSelectedDay(day) || !hours.has(hour)) continue
    const ms = Math.max(0, Math.min(begin + time.slices.lengthMs, until) - Math.max(begin, time.from))
    if (bucket === null) addTime('', ms)
    else addTime(bucket === 'day' ? dayFromNumber(day) : String(hour), ms)
  }
  return spans
}
