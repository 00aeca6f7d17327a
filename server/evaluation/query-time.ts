import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, dayFromNumber, type HourRange, hoursOfRange, isFullDay } from '#contract/period.ts'
import type { TimeBucket } from '#contract/spatial.ts'

const hourMs = 3_600_000

/**
 * Equal slices of time that never span two hours of a zone's clock: hours, or half hours if its summer time is
 * off by half an hour.
 */
export interface ClockSlices {
  /** Ms. */
  length: number
  /** How many ms earlier than in UTC they begin. */
  shift: number
}

/** The time of a question: some hours of some days in a zone. */
export interface QueryTime {
  timezone: string
  /** Begin of the first day and end of the last one, ms, half open. */
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

/** The time that values of a bucket are divided by. */
export interface Span {
  days: number
  /** The part of it that is over, ms. */
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

const modulo = (number: number, by: number): number => ((number % by) + by) % by

/** The slices of a zone, from its clock of 2025. */
function clockSlices(timezone: string): ClockSlices {
  const clock = civilClock(timezone)
  const [winter, summer] = [clock.instant(20_089, 0).ms, clock.instant(20_270, 0).ms]
  const length = modulo(winter - summer, hourMs) === 0 ? hourMs : hourMs / 2
  return { length, shift: modulo(-winter, length) }
}

/** The begin of each slice from a moment until another, ms. */
export function* sliceBegins({ length, shift }: ClockSlices, from: number, until: number): Generator<number> {
  const first = Math.floor((from + shift) / length) * length - shift
  for (let begin = first; begin < until; begin += length) yield begin
}

/** Converts the filters of a question to time. */
export function readQueryTime(
  { start_date, end_date, days, hour_filters }: TimeFilters,
  timezone: string,
): QueryTime {
  const clock = civilClock(timezone)
  const [first, last] = [clampDay(dayNumber(start_date)), clampDay(dayNumber(end_date))]
  return {
    timezone,
    days,
    hours: hour_filters,
    slices: clockSlices(timezone),
    from: clock.instant(first, 0).ms,
    until: clock.instant(last + 1, 0).ms,
    isUnfiltered: (days.length === 0 || days.length === 7) && isFullDay(hour_filters),
  }
}

/** All buckets of a question, including those that its filters exclude. */
export function bucketsOf(
  { start_date, end_date }: Pick<TimeFilters, 'start_date' | 'end_date'>,
  bucket: TimeBucket,
): string[] {
  if (bucket === 'hour_of_day') return Array.from({ length: 24 }, (_, hour) => String(hour))
  const first = dayNumber(start_date)
  return Array.from({ length: dayNumber(end_date) - first + 1 }, (_, at) => dayFromNumber(first + at))
}

/**
 * The span of each bucket, or of the question under '' without buckets. Excluded buckets have none. Only time
 * before `now` (ms) is counted as over.
 */
export function querySpans(
  { start_date, end_date }: Pick<TimeFilters, 'start_date' | 'end_date'>,
  time: QueryTime,
  bucket: TimeBucket | null,
  now: number,
): Map<string, Span> {
  const spans = new Map<string, Span>()
  const isSelectedDay = (day: number): boolean =>
    !time.days.length || time.days.includes(modulo(day + 3, 7) + 1)
  const [first, last] = [dayNumber(start_date), dayNumber(end_date)]
  let days = 0
  for (let day = first; day <= last; day++) {
    if (!isSelectedDay(day)) continue
    days++
    if (bucket === 'day') spans.set(dayFromNumber(day), { days: 1, ms: 0 })
  }
  const hours = new Set(hoursOfRange(time.hours))
  if (bucket === 'hour_of_day')
    for (const hour of [...hours].toSorted((a, b) => a - b)) spans.set(String(hour), { days, ms: 0 })
  const until = Math.min(time.until, now)
  if (bucket === null) spans.set('', { days, ms: 0 })
  const add = (key: string, ms: number): void => {
    const span = spans.get(key)
    if (span) span.ms += ms
  }
  if (bucket === null && time.isUnfiltered) {
    add('', Math.max(0, until - time.from))
    return spans
  }
  const clock = civilClock(time.timezone)
  for (const begin of sliceBegins(time.slices, time.from, until)) {
    const { day, hour } = clock.local(begin)
    if (!isSelectedDay(day) || !hours.has(hour)) continue
    add(
      bucket === null ? '' : bucket === 'day' ? dayFromNumber(day) : String(hour),
      Math.max(0, Math.min(begin + time.slices.length, until) - Math.max(begin, time.from)),
    )
  }
  return spans
}
