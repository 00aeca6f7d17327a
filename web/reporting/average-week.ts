import type { MetricsResponse } from '#contract/metrics.ts'
import { dayFromNumber, dayNumber, localDay, getWeekday } from '#contract/period.ts'

/** Sums of a period; null if unknown. */
interface WeekSums extends Pick<MetricsResponse, 'unfinished_day' | 'newest_fact'> {
  period: Pick<MetricsResponse['period'], 'start_date' | 'end_date' | 'rows'>
}

/** Returns the local time of an instant in hours: 10.5 at half past ten. */
function toHours(instant: string, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(new Date(instant))
  const readPart = (type: 'hour' | 'minute'): number =>
    Number(parts.find((part) => part.type === type)?.value)
  return readPart('hour') + readPart('minute') / 60
}

/**
 * Returns the means of a sum by `day_of_week` and `hour_of_day`: Monday first, 24 hours each. A period may have five
 * Mondays and four Tuesdays, so sums would not be comparable. Only the elapsed part of an unfinished day
 * counts; null if the hour did not occur. `index`: index of the sum in a row's values.
 */
export function averageWeek(response: WeekSums, timezone: string, index = 0): (number | null)[][] {
  const { period, unfinished_day: unfinishedDay, newest_fact: newest } = response
  /** Complete days of each weekday. */
  const dayCounts = Array.from({ length: 7 }, () => 0)
  const lastDay = dayNumber(period.end_date)
  for (let day = dayNumber(period.start_date); day <= lastDay; day++) {
    const localDate = dayFromNumber(day)
    if (unfinishedDay !== null && localDate >= unfinishedDay) break
    dayCounts[getWeekday(localDate) - 1]! += 1
  }
  const elapsedHours = unfinishedDay !== null && newest !== null ? toHours(newest, timezone) : 0
  const sums = new Map(period.rows.map(({ keys, values }) => [keys.join(' '), values[index] ?? 0]))
  return dayCounts.map((count, day) =>
    Array.from({ length: 24 }, (_, hour) => {
      const isToday = unfinishedDay !== null && getWeekday(unfinishedDay) === day + 1
      const times = count + (isToday ? Math.min(1, Math.max(0, elapsedHours - hour)) : 0)
      return times === 0 ? null : (sums.get(`${day + 1} ${hour}`) ?? 0) / times
    }),
  )
}

/** Returns the same for a source that may be late: its newest day is unfinished, and later days have no data. */
export function averageKnownWeek(
  { period, newest }: { period: WeekSums['period']; newest: string | null },
  timezone: string,
  index = 0,
): (number | null)[][] {
  const day = newest === null ? period.start_date : localDay(new Date(newest), timezone)
  return averageWeek(
    { period, unfinished_day: day <= period.end_date ? day : null, newest_fact: newest },
    timezone,
    index,
  )
}
