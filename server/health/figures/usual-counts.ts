import { minUsualWeeks, usualWeeks } from '#contract/health-figures.ts'
import { type LocalDay, addDays } from '#contract/period.ts'

/** The number of records of an operator in each of the 24 hours of local days; a missing day has none. */
export type HourTable = ReadonlyMap<LocalDay, readonly number[]>

/** Computes the median; null if there are no values. */
export function computeMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  // An even number of values has two in the middle; otherwise both are the same value.
  const lowerMiddle = sorted[Math.ceil(sorted.length / 2) - 1]
  const upperMiddle = sorted[Math.floor(sorted.length / 2)]
  return lowerMiddle === undefined || upperMiddle === undefined ? null : (lowerMiddle + upperMiddle) / 2
}

const firstDays = new WeakMap<HourTable, LocalDay | null>()

/** Finds the first day with data; null if there is none. Cached, because tables do not change. */
function findFirstDay(table: HourTable): LocalDay | null {
  const cached = firstDays.get(table)
  if (cached !== undefined) return cached
  let firstDay: LocalDay | null = null
  for (const [day, hours] of table)
    if (hours.some((count) => count > 0) && (firstDay === null || day < firstDay)) firstDay = day
  firstDays.set(table, firstDay)
  return firstDay
}

/** Finds the same weekday in the last eight weeks, not before the first day with data; null if too few. */
export function findUsualDays(table: HourTable, day: LocalDay): LocalDay[] | null {
  const firstDay = findFirstDay(table)
  if (firstDay === null) return null
  const usualDays = Array.from({ length: usualWeeks }, (_, week) => addDays(day, -7 * (week + 1))).filter(
    (usualDay) => usualDay >= firstDay,
  )
  return usualDays.length >= minUsualWeeks ? usualDays : null
}

const sumHours = (counts: readonly number[] | undefined, hours: readonly number[]): number =>
  hours.reduce((sum, hour) => sum + (counts?.[hour] ?? 0), 0)

/** Counts records in some hours of a day, and the median of the same hours of the usual days. */
export function compareWithUsual(
  table: HourTable,
  day: LocalDay,
  hours: readonly number[],
): { count: number; usual: number | null } {
  const days = findUsualDays(table, day)
  return {
    count: sumHours(table.get(day), hours),
    usual: days ? computeMedian(days.map((usualDay) => sumHours(table.get(usualDay), hours))) : null,
  }
}

/** Returns whether an hour of a day usually has records: at least half of the usual days have some in it. */
export function usuallyHasRecords(table: HourTable, day: LocalDay, hour: number): boolean {
  const days = findUsualDays(table, day)
  return (
    days !== null &&
    days.filter((usualDay) => sumHours(table.get(usualDay), [hour]) > 0).length * 2 >= days.length
  )
}
