import { cdsWeekdays, type CdsTimeSpan } from '#contract/cds.ts'
import { type CurbCalendar, type DayFacts, type DayPart, instantIn } from './local-days.ts'

const dayMinutes = 1440

/**
 * A time span of CDS with its criteria as bit sets. It starts on days that meet the criteria and runs from `start` to `end`,
 * minutes after midnight by the local clock; beyond 1440 it belongs to the day on which it started.
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

const every = -1
const bitsOf = (values: readonly number[] | undefined): number =>
  values?.length ? values.reduce((bits, value) => bits | (1 << value), 0) : every

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** An empty list is no criterion. Equal times of day are 24 hours. */
export function compileSpan(span: CdsTimeSpan): CompiledSpan {
  const start = minutesOf(span.time_of_day_start ?? '00:00')
  const end = minutesOf(span.time_of_day_end ?? '24:00')
  return {
    start,
    end: end > start ? end : end + dayMinutes,
    weekdays: bitsOf(span.days_of_week?.map((day) => cdsWeekdays.indexOf(day))),
    daysOfMonth: bitsOf(span.days_of_month),
    weeksOfMonth: bitsOf(span.weeks_of_month),
    months: bitsOf(span.months),
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

/** Whether a span starts on a day. A period that the region does not know is on no day. */
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
 * When any of the spans applies within consecutive days: starts and ends in turn, sorted, `[start, end, start, end, …]`.
 * A span applies when the local clock shows a time in it: all of a time that is shown twice, none of one that is skipped.
 */
export function activeTimes(
  spans: readonly CompiledSpan[],
  days: readonly DayPart[],
  periods: CurbCalendar['periods'],
): number[] {
  const found: [number, number][] = []
  const add = (span: CompiledSpan, part: DayPart, start: number, end: number): void => {
    const from = Math.max(instantIn(part, start), span.startDate)
    const until = Math.min(instantIn(part, end), span.endDate)
    if (from < until) found.push([from, until])
  }
  for (const part of days)
    for (const span of spans) {
      if (span.startDate >= part.until || span.endDate <= part.from) continue
      if (span.end > dayMinutes && startsOn(span, part.before, periods))
        add(span, part, 0, span.end - dayMinutes)
      if (startsOn(span, part.own, periods)) add(span, part, span.start, Math.min(span.end, dayMinutes))
    }
  found.sort((a, b) => a[0] - b[0])
  const merged: number[] = []
  for (const [from, until] of found)
    if (merged.length && from <= merged.at(-1)!) merged[merged.length - 1] = Math.max(merged.at(-1)!, until)
    else merged.push(from, until)
  return merged
}
