import { usualWeeks } from '#contract/health-figures.ts'
import { type LocalDay, addDays, daysBetween } from '#contract/period.ts'
import { judgeDay } from '#server/health/figures/health-days.ts'
import type { HealthRegion } from '#server/health/health-region.ts'
import type { DayCounts } from '#server/health/day-counts.ts'
import { getDayStart, getHourEnds } from '#server/regions/local-hours.ts'
import { toHourTable } from '#server/health/merge-facts.ts'
import type { Facts } from '#server/stores/facts.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { DayWindow } from './day-windows.ts'

/** Which data operators' feeds delivered on some days. */
export interface FeedCoverage {
  /** Operators with feed records on these days or in the weeks before. */
  operators: readonly string[]
  /** Those operators and, if trips were requested, those with trips. */
  operatorsWithTrips: readonly string[]
  /** Whether an operator has any record on a local day. With `withTrips`, trips count, even of files. */
  hasAny(operator: string, day: LocalDay, withTrips: boolean): boolean
  /** Number of hours in a window without data that usually have some (data health: gaps). */
  countGapHours(operator: string, window: DayWindow): number
}

/** Minutes after which an hour without data counts as missing. */
const promisedMinutes = 60

interface CoverageRequest {
  /** Local days, both included. */
  first: LocalDay
  last: LocalDay
  withTrips: boolean
  /** Milliseconds since 1970. */
  now: number
  /** Time after which days with changed facts are counted again. */
  recountAfterMs?: number | undefined
}

/** Builds SQL for the local days on which operators have trips. */
const tripDaysSql = (regionId: string, first: LocalDay, last: LocalDay): Sql => sql`
  select operator, toString(local_date) as day
  from ${latest('trips')}
  where region_id = ${bind('String', regionId)}
    and local_date between ${bind('Date', first)} and ${bind('Date', last)}
  group by operator, local_date`

/** Reads which data operators' feeds delivered from one day to another. */
export async function readFeedCoverage(
  { health, facts }: { health: DayCounts; facts: Facts },
  region: HealthRegion,
  { first, last, withTrips, now, recountAfterMs = 60_000 }: CoverageRequest,
): Promise<FeedCoverage> {
  const { timezone, scope, regionId } = region
  const days = daysBetween(addDays(first, -7 * usualWeeks), addDays(last, 1))
  const tripDays = tripDaysSql(regionId, first, last)
  const [records, trips] = await Promise.all([
    health.find(region, { kind: 'records', days, at: now, recountAfterMs }),
    withTrips ? facts.rows<{ operator: string; day: LocalDay }>(scope, tripDays) : [],
  ])
  const daysWithTrips = new Set(trips.map(({ operator, day }) => `${day} ${operator}`))
  const operators = [
    ...new Set([...records.values()].flatMap(({ body }) => body.map(({ operator }) => operator))),
  ]
    .filter(Boolean)
    .toSorted()
  const operatorsWithTrips = [...new Set([...operators, ...trips.map(({ operator }) => operator)])]
    .filter(Boolean)
    .toSorted()
  const tables = new Map<string, ReturnType<typeof toHourTable>>()
  const getTable = (operator: string): ReturnType<typeof toHourTable> => {
    let table = tables.get(operator)
    if (!table) tables.set(operator, (table = toHourTable(records, operator)))
    return table
  }
  const healthDays = new Map<string, ReturnType<typeof judgeDay>>()
  const getHealthDay = (operator: string, day: LocalDay): ReturnType<typeof judgeDay> => {
    const key = `${day} ${operator}`
    let cached = healthDays.get(key)
    if (!cached)
      healthDays.set(
        key,
        (cached = judgeDay(getTable(operator), day, { timezone, at: now, promisedMinutes })),
      )
    return cached
  }
  return {
    operators,
    operatorsWithTrips,
    hasAny: (operator, day, withTrips) =>
      (withTrips && daysWithTrips.has(`${day} ${operator}`)) ||
      (getTable(operator)
        .get(day)
        ?.some((count) => count > 0) ??
        false),
    countGapHours(operator, { day, from, until }) {
      let hours = 0
      for (const localDay of [day, addDays(day, 1)])
        for (const [hour, state] of getHealthDay(operator, localDay).states.entries()) {
          // Clock changes repeat, skip or cut hours, so an hour begins where the one before ends.
          const ends = getHourEnds(localDay, timezone)
          const previousEnd = ends.slice(0, hour).findLast((hourEnd) => hourEnd !== null)
          const begin = previousEnd ?? getDayStart(localDay, timezone)
          const end = ends[hour] ?? 0
          if (state === 'gap' && end > from && begin < until) hours++
        }
      return hours
    },
  }
}
