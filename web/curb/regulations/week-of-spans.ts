import { type CdsTimeSpan, cdsWeekdays } from '#contract/cds.ts'

/** How much of an hour of the week a policy applies to: all of it, a part, only on some dates, or none. */
export type HourState = 'all' | 'part' | 'sometimes' | 'none'

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
const minutesPerDay = 24 * 60

/** Tests whether a span applies only in some weeks. */
const isLimited = (span: CdsTimeSpan): boolean =>
  span.start_date !== undefined ||
  span.end_date !== undefined ||
  span.designated_period !== undefined ||
  [span.days_of_month, span.weeks_of_month, span.months].some((list) => (list?.length ?? 0) > 0)

/**
 * Returns by weekday (Monday first) and hour whether spans apply. A span past midnight belongs to the day on
 * which it starts. A policy without spans always applies.
 */
export function getWeekOfSpans(spans: readonly CdsTimeSpan[]): HourState[][] {
  // 1 for each minute of the week that applies every week, or in some weeks only.
  const everyWeek = new Uint8Array(7 * minutesPerDay)
  const someWeeks = new Uint8Array(7 * minutesPerDay)
  for (const span of spans.length ? spans : [{}]) {
    const start = toMinutes(span.time_of_day_start ?? '00:00')
    const until = toMinutes(span.time_of_day_end ?? '24:00')
    const length = (until > start ? until : until + minutesPerDay) - start
    const minutes = isLimited(span) ? someWeeks : everyWeek
    for (const day of span.days_of_week?.length ? span.days_of_week : cdsWeekdays) {
      // CDS lists Sunday first.
      const firstMinute = ((cdsWeekdays.indexOf(day) + 6) % 7) * minutesPerDay + start
      for (let minute = firstMinute; minute < firstMinute + length; minute += 1)
        minutes[minute % minutes.length] = 1
    }
  }
  return Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (__, hour): HourState => {
      const from = day * minutesPerDay + hour * 60
      const countMinutes = (applies: Uint8Array): number =>
        applies.subarray(from, from + 60).reduce((sum, minute) => sum + minute, 0)
      const weeklyMinutes = countMinutes(everyWeek)
      if (weeklyMinutes > 0) return weeklyMinutes === 60 ? 'all' : 'part'
      return countMinutes(someWeeks) > 0 ? 'sometimes' : 'none'
    }),
  )
}
