import { usualWeeks } from '#contract/health-figures.ts'
import type { LocalDay } from '#contract/period.ts'
import { healthDay } from '#server/health/figures/health-days.ts'
import type { HealthRegion } from '#server/health/health-region.ts'
import type { KeptDays } from '#server/health/kept-days.ts'
import { dayAfter, daysBetween, dayStart, hourEnds } from '#server/health/local-hours.ts'
import { hourTable } from '#server/health/merge-facts.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { DayWindow } from './day-windows.ts'

/** Whether operators' feeds told of days what they should. */
export interface FedDays {
  /** Operators with records in these days, or in the weeks before; and with trips, where these are enough. */
  operators: readonly string[]
  riders: readonly string[]
  /** Whether there is a single record of an operator on a local day. @param withTrips A trip is enough, also of a file. */
  hasAny(operator: string, day: LocalDay, withTrips: boolean): boolean
  /** Hours of a window without data that usually have some (data health: gaps). */
  gapHours(operator: string, window: DayWindow): number
}

/** Counts are made anew at most so often, ms; an hour is missed once so many minutes have passed. */
const [restMs, promisedMinutes] = [60_000, 60]

/** What is known of operators' records from one day to another. @param withTrips Whether trips are asked about. */
export async function fedDays(
  kept: KeptDays,
  facts: Facts,
  region: HealthRegion,
  first: LocalDay,
  last: LocalDay,
  withTrips: boolean,
  at: number,
): Promise<FedDays> {
  const { timezone, scope, regionId } = region
  const days = daysBetween(dayAfter(first, -7 * usualWeeks), dayAfter(last))
  const [records, trips] = await Promise.all([
    kept.find(region, 'records', days, at, restMs),
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
  const judged = new Map<string, ReturnType<typeof healthDay>>()
  const dayOf = (operator: string, day: LocalDay): ReturnType<typeof healthDay> => {
    const key = `${day} ${operator}`
    let found = judged.get(key)
    if (!found)
      judged.set(key, (found = healthDay(tableOf(operator), day, { timezone, at, promisedMinutes })))
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
          // One that the clock shows twice, or in part, begins where the one before ends.
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
