import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import type { DistributedValue } from '#contract/metrics.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import {
  filterClause,
  groupingSets,
  keysSql,
  type ReportQuestion,
  rowsSql,
  unknown,
} from './report-question.ts'

/**
 * Builds SQL for parking events that begin in the selection: `value` is the duration (ms, open events last
 * until `now`), with the columns of all dimensions.
 */
const parkingDurationsSql = (question: ReportQuestion, now: number): Sql => {
  const { regionId, timezone, first, last } = question
  const local = sql`toTimeZone(from_time, ${bind('String', timezone)})`
  const until = endOfDay(last, timezone)
  return sql`
    select *
    from (
      select
        toDate(${local}) as day,
        toUInt8(toHour(${local})) as local_hour,
        toStartOfHour(from_time) as hour,
        parking.operator as operator,
        if(parking.vehicle_type = '', 'other', parking.vehicle_type) as vehicle_type,
        vehicle.propulsion as propulsion,
        greatest(
          0,
          least(${toMilliseconds(sql`to_time`)}, ${bind('Int64', String(now))}) - ${toMilliseconds(sql`from_time`)}
        ) as value
      from (
        select operator, device_id, vehicle_type, from_time, to_time
        from ${latest('parking_events')}
        where
          region_id = ${bind('String', regionId)}
          and from_time >= ${toDateTime(startOfDay(first, timezone))}
          and from_time < ${toDateTime(Math.min(until, now))}
      ) as parking
      left join (
        select operator, device_id, arrayStringConcat(arraySort(propulsion_types), '+') as propulsion
        from ${latest('vehicles')}
        where region_id = ${bind('String', regionId)}
      ) as vehicle
        on vehicle.operator = parking.operator and vehicle.device_id = parking.device_id
    ) ${filterClause(question, sql`local_hour`)}`
}

/**
 * Builds SQL for number and durations (ms) of parking events that begin in the selection; `over`: events of
 * at least `limitMs`. Open events last until `now` (ms).
 */
export const parkingSumsSql = (
  question: ReportQuestion,
  { limitMs, now, median }: { limitMs: number; now: number; median: boolean },
): Sql => sql`
  select
    keys,
    count() as events,
    sum(value) as duration_ms,
    countIf(value >= ${bind('Int64', String(limitMs))}) as over${
      median ? sql`, quantileExactInclusive(0.5)(value) as duration_median` : sql``
    }
  from (
    select ${keysSql(question.dimensions)} as keys, value
    from (${parkingDurationsSql(question, now)})
  )
  group by ${groupingSets(question)}
  order by keys`
/** Sums of parking events of a group. 64-bit integers are text. */
export interface ParkingSums {
  keys: string[]
  events: string
  duration_ms: string
  over: string
  duration_median?: number
}

/**
 * Builds SQL for values of trips (mm, ms, m/s) or parking events (ms), one per row, with `keys`. Their mean
 * is sum(numerator) / sum(denominator).
 */
function distributedRowsSql(question: ReportQuestion, value: DistributedValue, now: number): Sql {
  const keys = keysSql(question.dimensions)
  if (value === 'parked_duration')
    return sql`
      select
        ${keys} as keys,
        toFloat64(value) as value,
        value as numerator,
        1 as denominator
      from (${parkingDurationsSql(question, now)})`
  const hours = rowsSql(question, 'report_hours', [
    'day',
    'local_hour',
    'hour',
    'operator',
    'vehicle_type',
    'propulsion',
    'distances',
    'durations',
  ])
  const trips = sql`
    select *
    from (${hours}) ${filterClause(question, sql`local_hour`)}`
  if (value === 'trip_speed')
    return sql`
      select
        keys,
        pair.1 / pair.2 as value,
        pair.1 as numerator,
        pair.2 as denominator
      from (
        select
          ${keys} as keys,
          arrayJoin(
            arrayFilter(
              pair -> pair.1 != ${unknown} and pair.2 != ${unknown} and pair.2 > 0,
              arrayZip(distances, durations)
            )
          ) as pair
        from (${trips})
      )`
  const list = value === 'trip_distance' ? sql`distances` : sql`durations`
  return sql`
    select
      keys,
      toFloat64(number) as value,
      number as numerator,
      1 as denominator
    from (
      select ${keys} as keys, arrayJoin(arrayFilter(number -> number != ${unknown}, ${list})) as number
      from (${trips})
    )`
}

/** Builds SQL for the count, mean and quantiles of the values of each group. */
export const distributionStatisticsSql = (
  question: ReportQuestion,
  value: DistributedValue,
  now: number,
): Sql => sql`
  select
    keys,
    count() as n,
    sum(numerator) / sum(denominator) as mean,
    quantilesExactInclusive(0, 0.25, 0.5, 0.75, 0.9, 1)(value) as quantiles
  from (${distributedRowsSql(question, value, now)})
  group by ${groupingSets(question)}
  order by keys`
/** Statistics of a group. */
export interface DistributionRow {
  keys: string[]
  n: string
  mean: number
  /** Minimum, quartile, median, quartile, 90th percentile, maximum. */
  quantiles: number[]
}

/** Builds SQL that counts values by group and bin. `bins`: ascending lower bounds, in stored units. */
export const binCountsSql = (
  question: ReportQuestion,
  { value, bins, now }: { value: DistributedValue; bins: readonly number[]; now: number },
): Sql => {
  const bounds = bind('Array(Float64)', bins)
  return sql`
  select keys, indexOf(${bounds}, bound) as bin, n
  from (
    select keys, roundDown(value, ${bounds}) as bound, count() as n
    from (${distributedRowsSql(question, value, now)})
    where value >= ${bounds}[1]
    group by ${groupingSets(question, ['bound'])}
  )
  order by keys, bin`
}
/** The number of values of a group in a bin. */
export interface BinRow {
  keys: string[]
  /** Number of the bin, from 1. */
  bin: number
  n: string
}
