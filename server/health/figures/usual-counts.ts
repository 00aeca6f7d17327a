import { minUsualWeeks, usualWeeks } from '#contract/health-figures.ts'
import type { LocalDay } from '#contract/period.ts'
import { dayAfter } from '../local-hours.ts'

/** Records of an operator by local day and hour, 24 numbers per day; a missing day has none. */
export type HourTable = ReadonlyMap<LocalDay, readonly number[]>

/** The median; null without values. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

const firsts = new WeakMap<HourTable, LocalDay | null>()

/** The first day with data. A table does not change once it is built. */
export function firstDayOf(table: HourTable): LocalDay | null {
  const known = firsts.get(table)
  if (known !== undefined) return known
  let first: LocalDay | null = null
  for (const [day, hours] of table)
    if (hours.some((count) => count > 0) && (first === null || day < first)) first = day
  firsts.set(table, first)
  return first
}

/** The same weekday of the last eight weeks since the first day with data; null if there are too few. */
export function usualDays(table: HourTable, day: LocalDay): LocalDay[] | null {
  const first = firstDayOf(table)
  if (first === null) return null
  const known = Array.from({ length: usualWeeks }, (_, week) => dayAfter(day, -7 * (week + 1))).filter(
    (other) => other >= first,
  )
  return known.length >= minUsualWeeks ? known : null
}

const sumOf = (hours: readonly number[] | undefined, which: readonly number[]): number =>
  which.reduce((sum, hour) => sum + (hours?.[hour] ?? 0), 0)

/** Records in some hours of a day, and the usual number: the median of the same hours of the usual days. */
export function againstUsual(
  table: HourTable,
  day: LocalDay,
  hours: readonly number[],
): { count: number; usual: number | null } {
  const days = usualDays(table, day)
  return {
    count: sumOf(table.get(day), hours),
    usual: days ? medianOf(days.map((other) => sumOf(table.get(other), hours))) : null,
  }
}

/** Whether an hour of a day usually has records: at least half of the usual days have some. */
export function usuallyHasSome(table: HourTable, day: LocalDay, hour: number): boolean {
  const days = usualDays(table, day)
  return (
    days !== null && days.filter((other) => sumOf(table.get(other), [hour]) > 0).length * 2 >= days.length
  )
}
