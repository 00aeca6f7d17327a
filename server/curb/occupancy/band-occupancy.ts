import type { BandOccupancy, BandOccupancyQuery, OccupancyKind } from '#contract/curb-occupancy.ts'
import { groupBy } from '#contract/group-by.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { readEstimatePlan } from './calibrations.ts'
import {
  countDays,
  type DayCounts,
  occupancyDaysSql,
  type OccupancyDays,
  type OccupancyStores,
  type HourSums,
  hourSumColumns,
  type HourSumsRow,
  getHourWeights,
  getWeekdayPeriodFactor,
  toHourSums,
  weigh,
} from './read-days.ts'

interface WeekdayRow extends HourSumsRow {
  zone_id: string
  weekday: number
  capacity_sum: number
  day_count: string
  known_days: string[]
}

/** Adds two lists element by element. */
const addLists = (a: readonly number[], b: readonly number[]): number[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0) + (b[i] ?? 0))

/**
 * Reads the occupancy of zones by time band and day type: the sum of occupied time divided by the sum of
 * known time. Days without any data count as unknown. Zones without open hours in a band have no row. For the
 * kinds `paid` and `estimated`, open hours are those that require payment.
 */
export async function readBandOccupancy(
  { state, facts }: Pick<OccupancyStores, 'facts'> & { state: Pick<State, 'as'> },
  scope: Scope,
  query: BandOccupancyQuery,
  signal?: AbortSignal,
): Promise<BandOccupancy[]> {
  const { regionId, zoneIds, bands, dayTypes, from, until, excludedDays, kind } = query
  const selection: OccupancyDays = {
    regionId,
    kind,
    from,
    until,
    weekdays: [...new Set(dayTypes.flatMap(({ weekdays }) => weekdays))],
    excludedDays,
    zoneIds,
    plan: await readEstimatePlan(state.as(scope), regionId, kind),
  }
  const bandWeights = bands.map((band) => getHourWeights(band.from, band.until))
  const [rows, days] = await Promise.all([
    facts.rows<WeekdayRow>(scope, weekdayRowsSql(selection, bandWeights), {
      limits: { seconds: 60 },
      ...(signal ? { signal } : {}),
    }),
    countDays({ state, facts }, scope, selection, signal),
  ])
  return [...groupBy(rows, (row) => row.zone_id)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([zoneId, zoneRows]) =>
      dayTypes.flatMap((type) => {
        const typeRows = zoneRows.filter(({ weekday }) => type.weekdays.includes(weekday))
        if (!typeRows.length) return []
        const totals = sumRows(typeRows, type.weekdays, days)
        return bands.flatMap((band, i): BandOccupancy[] => {
          const bandFigures = weighBand(totals, bandWeights[i] ?? [], kind)
          if (!bandFigures) return []
          const knownDays = typeRows.reduce((sum, row) => sum + Number(row.known_days[i] ?? 0), 0)
          return [
            {
              zone_id: zoneId,
              band: band.key,
              day_type: type.key,
              occupancy: bandFigures.occupancy,
              days: knownDays,
              coverage: bandFigures.coverage,
              capacity: totals.meanSpaces > 0 ? totals.meanSpaces : null,
              kind,
              interval: bandFigures.interval,
            },
          ]
        })
      }),
    )
}

/** Builds SQL for sums by zone and weekday. `known_days` counts, by band, days with any known time in it. */
function weekdayRowsSql(selection: OccupancyDays, bandWeights: readonly number[][]): Sql {
  const isKnownInBand = bandWeights.map(
    (weights) => sql`
        toUInt32(
          arraySum(
            (seconds, weight) -> seconds * weight,
            known,
            ${bind('Array(Float64)', weights)}
          ) > 0
        )`,
  )
  return sql`
    with selected_days as (${occupancyDaysSql(selection)})
    select
      toString(zone_id) as zone_id,
      weekday,
      ${hourSumColumns},
      sum(capacity) as capacity_sum,
      toString(count()) as day_count,
      arrayMap(number -> toString(number), sumForEach([${joinSql(isKnownInBand, ', ')}])) as known_days
    from selected_days
    group by zone_id, weekday`
}

interface DayTypeTotals extends HourSums {
  /** Mean number of spaces per day. */
  meanSpaces: number
}

/** Adds up the rows of a zone on the weekdays of a day type. */
function sumRows(rows: readonly WeekdayRow[], weekdays: readonly number[], days: DayCounts): DayTypeTotals {
  const scaled = rows.map((row): HourSums => {
    // Open time is scaled up to all days of the period, so that days without data count as unknown.
    const factor = getWeekdayPeriodFactor(days, row.weekday, weekdays)
    const sums = toHourSums(row)
    return { ...sums, open: sums.open.map((seconds) => seconds * factor) }
  })
  const totals = scaled.reduce((a, b) => ({
    open: addLists(a.open, b.open),
    known: addLists(a.known, b.known),
    occupied: addLists(a.occupied, b.occupied),
    low: addLists(a.low, b.low),
    high: addLists(a.high, b.high),
  }))
  const dayCount = rows.reduce((sum, row) => sum + Number(row.day_count), 0)
  const spaceDays = rows.reduce((sum, row) => sum + row.capacity_sum, 0)
  return { ...totals, meanSpaces: spaceDays / dayCount }
}

/** Returns the occupancy in a band, by the weights of its hours; null if the zone has no open time in it. */
function weighBand(
  totals: DayTypeTotals,
  weights: readonly number[],
  kind: OccupancyKind,
): Pick<BandOccupancy, 'occupancy' | 'coverage' | 'interval'> | null {
  const open = weigh(totals.open, weights)
  const known = weigh(totals.known, weights)
  if (open <= 0) return null
  return {
    occupancy: known > 0 ? weigh(totals.occupied, weights) / known : null,
    coverage: known / open,
    interval:
      kind === 'estimated' && known > 0
        ? [weigh(totals.low, weights) / known, weigh(totals.high, weights) / known]
        : null,
  }
}

/** Returns `readBandOccupancy` bound to its stores. */
export const createBandOccupancyReader =
  (stores: { state: Pick<State, 'as'>; facts: Facts }) =>
  (scope: Scope, query: BandOccupancyQuery, signal?: AbortSignal): Promise<BandOccupancy[]> =>
    readBandOccupancy(stores, scope, query, signal)
