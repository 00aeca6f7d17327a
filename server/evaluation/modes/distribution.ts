import { hourMs } from '#contract/period.ts'
import type { SpatialAggregation } from '#contract/spatial.ts'
import { stationaryStates } from '#server/fleet/cubes/cube-columns.ts'
import { sumsByShapeSql } from '#server/fleet/sums-by-shape.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { extentSql, factConditions } from '../queries/fact-sql.ts'
import { splitByTime } from '../queries/split-by-time.ts'
import { type Mode, type QueryContext, type ShapeLookup, type SumRow, sumRows } from './mode.ts'

/** The sum columns of the query: vehicle time (ms) in each state at rest. */
const stationarySums = stationaryStates.map((state) => `${state}_ms` as const)

/** Builds SQL for intervals at rest, `begins` to `ends` (ms). Open ones end now, or when the vehicle is lost. */
function stationaryIntervalsSql({ filters, time, lostAfterHours, now }: QueryContext): Sql {
  const rule = createLostRule(lostAfterHours)
  return sql`
  select
    operator, state, lon, lat,
    ${toMilliseconds(sql`from_time`)} as begins,
    least(${toMilliseconds(sql`least(to_time, ${rule.lostAt(sql`from_time`)})`)}, ${bind('Int64', String(now))}) as ends
  from ${latest('vehicle_intervals')}
  where ${factConditions(filters)} and state in ${bind('Array(String)', stationaryStates)}
    and from_time < ${toDateTime(time.until)} and ${rule.hasContact(sql`from_time`, toDateTime(time.from))} and to_time > ${toDateTime(time.from)}`
}

/** Builds SQL that sums vehicle time at rest by shape and state, and by bucket or, without buckets, operator. */
export function stationaryByShapeSql(context: QueryContext, lookup: ShapeLookup): Sql {
  const { time, bucket } = context
  const key = bucket ? 'bucket' : 'operator'
  const states = joinSql(
    stationaryStates.map(
      (state) =>
        sql`if(state = ${bind('String', state)}, part_ends - part_begins, 0) as ${identifier(`${state}_ms`)}`,
    ),
    ', ',
  )
  return sumsByShapeSql({
    facts: sql`select lon, lat, ${identifier(key)}, ${states} from (${splitByTime(stationaryIntervalsSql(context), time, bucket)})`,
    keys: [key],
    sums: stationarySums,
    ...lookup,
  })
}

const stationaryExtentSql = (regionId: string, timezone: string): Sql =>
  extentSql(
    sql`select operator, vehicle_type, ${toMilliseconds(sql`from_time`)} as first_at, first_at as last_at from ${latest('vehicle_intervals')} where region_id = ${bind('String', regionId)} and state in ${bind('Array(String)', stationaryStates)}`,
    timezone,
  )

const sumStationaryMs = (rows: readonly SumRow[]): number =>
  stationarySums.reduce((sum, name) => sum + sumRows(rows, name), 0)

/** Returns the vehicle time that an aggregation measures, ms. */
function getVehicleMs(aggregation: SpatialAggregation, rows: readonly SumRow[]): number {
  if (aggregation === 'average_available') return sumRows(rows, 'available_ms')
  if (aggregation === 'average_non_operational') return sumRows(rows, 'non_operational_ms')
  return sumStationaryMs(rows)
}

/**
 * Average number of vehicles at rest in a shape: vehicle time divided by the elapsed time of the period.
 * Vehicles on a trip and lost vehicles are not counted. `n`: vehicle-hours.
 */
export const distribution: Mode = {
  name: 'distribution',
  getUnit: (aggregation) => (aggregation === 'share_of_fleet' ? 'share' : 'vehicles'),
  isMean: () => false,
  basis: ({ now, time, lostAfterHours }) => [Math.min(now, time.until), lostAfterHours],
  query: stationaryByShapeSql,
  cubed: ({ bucket }) => ({
    sums: Object.fromEntries(stationarySums.map((name) => [name, name])),
    byOperator: bucket === null,
  }),
  figures(aggregation, { rows, regionRows, span }) {
    const computeMean = (ms: number): number => (span.ms > 0 ? ms / span.ms : 0)
    const regionMs = sumStationaryMs(regionRows)
    const ms = getVehicleMs(aggregation, rows)
    const counts: Record<string, number> = {}
    for (const state of stationaryStates) counts[state] = computeMean(sumRows(rows, `${state}_ms`))
    for (const row of rows)
      if (row.operator !== null)
        counts[`operator:${row.operator}`] =
          computeMean(sumStationaryMs([row])) + (counts[`operator:${row.operator}`] ?? 0)
    const isShare = aggregation === 'share_of_fleet'
    const amount = isShare ? 100 * ms : ms
    const divisor = isShare ? regionMs : span.ms
    return { value: divisor > 0 ? amount / divisor : null, n: ms / hourMs, counts }
  },
  extent: stationaryExtentSql,
}
