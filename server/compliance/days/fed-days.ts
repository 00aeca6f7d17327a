import { usualWeeks } from '#contract/health-figures.ts'
import type { LocalDay } from '#contract/period.ts'
import { healthDay } from '#server/health/figures/health-days.ts'
import type { HealthRegion } from '#server/health/health-region.ts'
import type { DayCounts } from '#server/health/day-counts.ts'
import { dayAfter, daysBetween, dayStart, hourEnds } from '#server/health/local-hours.ts'
import { hourTable } from '#server/health/merge-facts.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { DayWindow } from './day-windows.ts'

/** Whether operators' feeds were complete on some days. */
export interface FedDays {
  /** Operators with records on these days or in the weeks before, or with trips if those are enough. */
  operators: readonly string[]
  riders: readonly string[]
  /** Whether an operator has any record on a local day. @param withTrips Trips count too, also those of files. */
  hasAny(operator: string, day: LocalDay, withTrips: boolean): boolean
  /** Hours of a window that usually have data and have none (data health: gaps). */
  gapHours(operator: string, window: DayWindow): number
}

/** Minutes after which an hour without data is missing. */
const promisedMinutes = 60

/**
 * The completeness of operators' records from one day to another. @param withTrips Whether trips are requested too. @param recountAfterMs
 * Days with changed facts are counted again after this time.
 */
export async function fedDays(
  dayCounts: DayCounts,
  facts: Facts,
  region: HealthRegion,
  first: LocalDay,
  last: LocalDay,
  withTrips: boolean,
  at: number,
  recountAfterMs = 60_000,
): Promise<FedDays> {
  const { timezone, scope, regionId } = region
  const days = daysBetween(dayAfter(first, -7 * usualWeeks), dayAfter(last))
  const [records, trips] = await Promise.all([
    dayCounts.find(region, 'records', days, at, recountAfterMs),
    withTrips
      ? facts.rows<{ operator: string; day: LocalDay }>(
          scope,
          sql`select operator, toString(local_date) as day from ${latest('trips')} where region_id = ${bind('String', regionId)} and local_date between ${bind('Date', first)} and ${bind('Date', last)} group by operator, local_date`,
        )
      : [],
  ])
  const ridden = new Set(trips.map(({ operator, day }) => `${day} ${operator}`))
  const operators = [
    ...new Set([...records.values()].flatMap(({ body }) => body.map(({ operator }) => operator))),
  ]
    .filter(Boolean)
    .toSorted()
  const riders = [...new Set([...operators, ...trips.map(({ operator }) => operator)])]
    .filter(Boolean)
    .toSorted()
  const tables = new Map<string, ReturnType<typeof hourTable>>()
  const tableOf = (operator: string): ReturnType<typeof hourTable> => {
    let table = tables.get(operator)
    if (!table) tables.set(operator, (table = hourTable(records, operator)))
    return table
  }
  const healthDays = new Map<string, ReturnType<typeof healthDay>>()
  const dayOf = (operator: string, day: LocalDay): ReturnType<typeof healthDay> => {
    const key = `${day} ${operator}`
    let found = healthDays.get(key)
    if (!found)
      healthDays.set(key, (found = healthDay(tableOf(operator), day, { timezone, at, promisedMinutes })))
    return found
  }
  return {
    operators,
    riders,
    hasAny: (operator, day, byTrips) =>
      (byTrips && ridden.has(`${day} ${operator}`)) ||
      (tableOf(operator)
        .get(day)
        ?.some((count) => count > 0) ??
        false),
    gapHours(operator, { day, from, until }) {
      let hours = 0
      for (const each of [day, dayAfter(day)])
        for (const [hour, state] of dayOf(operator, each).states.entries()) {
          // A repeated or partial hour begins at the end of the one before.
          const ends = hourEnds(each, timezone)
          const [begin, end] = [
            ends.slice(0, hour).findLast((other) => other !== null) ?? dayStart(each, timezone),
            ends[hour] ?? 0,
          ]
          if (state === 'gap' && end > from && begin < until) hours++
        }
      return hours
    },
  }
}
