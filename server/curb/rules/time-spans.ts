import { cdsWeekdays, type CdsTimeSpan } from '#contract/cds.ts'
import { type CurbCalendar, type DayFacts, type DayPart, findInstant } from './local-days.ts'

const dayMinutes = 1440

/**
 * A time span of CDS with its criteria as bit sets. It starts on days that meet the criteria and runs from
 * `start` to `end`, in minutes after local midnight. An `end` beyond 1440 is on the following day, whose own
 * criteria do not matter.
 */
export interface CompiledSpan {
  start: number
  end: number
  weekdays: number
  daysOfMonth: number
  weeksOfMonth: number
  months: number
  startDate: number
  endDate: number
  period: string | null
  isExcept: boolean
}

/** A bit set with all bits set: no criterion. */
const every = -1
const toBits = (values: readonly number[] | undefined): number =>
  values?.length ? values.reduce((bits, value) => bits | (1 << value), 0) : every

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Compiles a time span. An empty list is no criterion. With equal times of day, the span lasts 24 hours. */
export function compileSpan(span: CdsTimeSpan): CompiledSpan {
  const start = toMinutes(span.time_of_day_start ?? '00:00')
  const end = toMinutes(span.time_of_day_end ?? '24:00')
  return {
    start,
    end: end > start ? end : end + dayMinutes,
    weekdays: toBits(span.days_of_week?.map((day) => cdsWeekdays.indexOf(day))),
    daysOfMonth: toBits(span.days_of_month),
    weeksOfMonth: toBits(span.weeks_of_month),
    months: toBits(span.months),
    startDate: span.start_date ?? -Infinity,
    endDate: span.end_date ?? Infinity,
    period: span.designated_period ?? null,
    isExcept: span.designated_period_except ?? false,
  }
}

/** Whether a span is the same in every week. */
export const isWeekly = (span: CompiledSpan): boolean =>
  span.daysOfMonth === every &&
  span.weeksOfMonth === every &&
  span.months === every &&
  span.startDate === -Infinity &&
  span.endDate === Infinity &&
  span.period === null

/** Whether a span starts on a day. A period that the region does not define has no days. */
function startsOn(span: CompiledSpan, facts: DayFacts, periods: CurbCalendar['periods']): boolean {
  return (
    (span.weekdays & facts.weekday) !== 0 &&
    (span.daysOfMonth & facts.dayOfMonth) !== 0 &&
    (span.weeksOfMonth & facts.weekOfMonth) !== 0 &&
    (span.months & facts.month) !== 0 &&
    (span.period === null || (periods.get(span.period)?.has(facts.day) ?? false) !== span.isExcept)
  )
}

/**
 * Finds when any of the spans applies on consecutive days, as sorted and merged pairs `[start, end, start,
 * end, …]` in ms since 1970. A span applies while the local clock shows a time in it. If the clock shows a
 * time twice, the span applies both times.
 */
export function findActiveTimes(
  spans: readonly CompiledSpan[],
  days: readonly DayPart[],
  periods: CurbCalendar['periods'],
): number[] {
  const ranges: [start: number, end: number][] = []
  const add = (span: CompiledSpan, part: DayPart, start: number, end: number): void => {
    const from = Math.max(findInstant(part, start), span.startDate)
    const until = Math.min(findInstant(part, end), span.endDate)
    if (from < until) ranges.push([from, until])
  }
  for (const part of days)
    for (const span of spans) {
      if (span.startDate >= part.until || span.endDate <= part.from) continue
      if (span.end > dayMinutes && startsOn(span, part.previous, periods))
        add(span, part, 0, span.end - dayMinutes)
      if (startsOn(span, part.facts, periods)) add(span, part, span.start, Math.min(span.end, dayMinutes))
    }
  ranges.sort(([startA], [startB]) => startA - startB)
  const merged: number[] = []
  for (const [from, until] of ranges)
    if (merged.length && from <= merged.at(-1)!) merged[merged.length - 1] = Math.max(merged.at(-1)!, until)
    else merged.push(from, until)
  return merged
}
