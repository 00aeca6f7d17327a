import { civilClock } from '#contract/civil-clock.ts'
import { dayNumber, dayFromNumber, type HourRange, hoursOfRange, isFullDay } from '#contract/period.ts'
import type { TimeBucket } from '#contract/spatial.ts'

const hourMs = 3_600_000

/** The hours of a zone's clock, or halves of them where its summer time is off by half an hour: none is in two hours of the clock. */
export interface ClockSlices {
  /** Ms. */
  length: number
  /** By how many ms they begin before those of UTC. */
  shift: number
}

/** A time that is asked for: some hours of some days of a zone. */
export interface QueryTime {
  timezone: string
  /** From the begin of the first day to the end of the last, ms, half open. */
  from: number
  until: number
  /** ISO weekdays; empty: all. */
  days: readonly number[]
  /** Of the local day, both included. */
  hours: Readonly<HourRange>
  /** Whether that is every hour of every day. */
  isUnfiltered: boolean
  slices: ClockSlices
}

/** What values of a piece of time divide by. */
export interface Span {
  days: number
  /** Of it that are over. */
  ms: number
}

export interface TimeFilters {
  start_date: string
  end_date: string
  days: readonly number[]
  hour_filters: Readonly<HourRange>
}

/** Days that the store's dates can hold. */
const clampDay = (day: number): number => Math.min(Math.max(day, 1), dayNumber('2149-06-05'))

const modulo = (of: number, by: number): number => ((of % by) + by) % by

/** The pieces into which a zone's time is cut, by its clock of 2025. */
function clockSlices(timezone: string): ClockSlices {
  const clock = civilClock(timezone)
  const [winter, summer] = [clock.instant(20_089, 0).ms, clock.instant(20_270, 0).ms]
  const length = modulo(winter - summer, hourMs) === 0 ? hourMs : hourMs / 2
  return { length, shift: modulo(-winter, length) }
}

/** The time of a question whose days are in order. */
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

/** The pieces of time of a bucket: hours of the day, or the days of the question, whether asked for or not. */
export function bucketsOf(
  { start_date, end_date }: Pick<TimeFilters, 'start_date' | 'end_date'>,
  bucket: TimeBucket,
): string[] {
  if (bucket === 'hour_of_day') return Array.from({ length: 24 }, (_, hour) => String(hour))
  const first = dayNumber(start_date)
  return Array.from({ length: dayNumber(end_date) - first + 1 }, (_, at) => dayFromNumber(first + at))
}

/**
 * How much was asked for, by bucket or in all (under ''). What is not asked for has no entry. `now`: only what is over counts as ms.
 */
export function querySpans(
  asked: TimeFilters,
  time: QueryTime,
  bucket: TimeBucket | null,
  now: number,
): Map<string, Span> {
  const spans = new Map<string, Span>()
  const isSelectedDay = (day: number): boolean =>
    !time.days.length || time.days.includes(modulo(day + 3, 7) + 1)
  const [first, last] = [dayNumber(asked.start_date), dayNumber(asked.end_date)]
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
  const { length, shift } = time.slices
  for (
    let begin = Math.floor((time.from + shift) / length) * length - shift;
    begin < until;
    begin += length
  ) {
    const { day, hour } = clock.local(begin)
    if (!isSelectedDay(day) || !hours.has(hour)) continue
    add(
      bucket === null ? '' : bucket === 'day' ? dayFromNumber(day) : String(hour),
      Math.max(0, Math.min(begin + length, until) - Math.max(begin, time.from)),
    )
  }
  return spans
}
