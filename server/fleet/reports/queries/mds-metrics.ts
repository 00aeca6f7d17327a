import { toQualityBits, outlierFlags } from '#contract/mobility.ts'
import { deployedStates, type VehicleState } from '#contract/vehicle-states.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import {
  bucketSql,
  getSpan,
  regionCondition,
  keys,
  type MetricSelection,
  translateColumn,
  withKeysSql,
} from './metric-selection.ts'

/** States of vehicles in use. */
export const ridingStates: readonly VehicleState[] = ['on_trip', 'stopped']

/**
 * Builds SQL for intervals of vehicles (`begin_ms`, `end_ms`) with the place where they begin, clipped to the
 * requested time and to the time at which the vehicle is lost. `vehicle_hash` replaces operator and device:
 * distinct numbers are counted several times faster than pairs of texts.
 */
function stateIntervalsSql(selection: MetricSelection, states: readonly VehicleState[] | null): Sql {
  const { from, until } = getSpan(selection)
  const rule = createLostRule(selection.lostAfterHours)
  const stateCondition = states ? sql` and state in ${bind('Array(String)', states)}` : sql``
  return sql`
    select
      operator,
      device_id as device,
      cityHash64(operator, device_id) as vehicle_hash,
      vehicle_type, state, lon, lat,
      toInt64(greatest(${toMilliseconds(sql`from_time`)}, ${bind('Int64', String(from))})) as begin_ms,
      toInt64(
        least(
          ${toMilliseconds(sql`least(to_time, ${rule.lostAt(sql`from_time`)})`)},
          ${bind('Int64', String(until))}
        )
      ) as end_ms
    from ${latest('vehicle_intervals')}
    where
      ${regionCondition(selection)}${stateCondition}
      and from_time < ${toDateTime(until)}
      and ${rule.hasContact(sql`from_time`, toDateTime(from))}
      and to_time > ${toDateTime(from)}`
}

/** Returns the first full minute at or after a time (ms), in minutes since 1970. */
const ceilToMinuteColumn = (ms: Sql): Sql => sql`intDiv(${ms} + 59999, 60000)`

/**
 * Splits intervals of vehicles by the intervals of the selection: `part_begin_ms`, `part_end_ms`, and
 * `marks`, their full minutes.
 */
function statePartsSql(selection: MetricSelection, intervals: Sql): Sql {
  const bucket = bucketSql(selection)
  const parts = sql`
    select
      *,
      greatest(begin_ms, ${bucket.start(sql`bucket`)}) as part_begin_ms,
      least(end_ms, ${bucket.end(sql`bucket`)}) as part_end_ms
    from (
      select *, arrayJoin(${bucket.overlapping(sql`begin_ms`, sql`end_ms`)}) as bucket
      from (${intervals})
      where end_ms > begin_ms
    )`
  return sql`
    select
      *,
      ${ceilToMinuteColumn(sql`part_end_ms`)} - ${ceilToMinuteColumn(sql`part_begin_ms`)} as marks,
      part_end_ms - part_begin_ms as part_ms
    from (${parts})`
}

const stateCondition = (states: readonly VehicleState[]): Sql =>
  sql`state in ${bind('Array(String)', states)}`

/** Builds SQL for by state: snapshots (vehicles at each full minute), vehicle time, and distinct vehicles. */
export const stateSumsSql = (selection: MetricSelection): Sql => sql`
  select
    ${keys},
    ${translateColumn(sql`state`, selection.stateWords)} as state_word,
    sum(marks) as snapshots,
    sum(part_ms) as state_ms,
    uniqExact(vehicle_hash) as devices
  from (${statePartsSql(selection, withKeysSql(stateIntervalsSql(selection, null), selection))})
  group by ${keys}, state_word`

/**
 * Builds SQL for the sums of deployed vehicles: snapshots, vehicle time, distinct vehicles, and those with
 * and without a trip in the interval.
 */
export function deployedSumsSql(selection: MetricSelection): Sql {
  const riding = stateCondition(ridingStates)
  const vehiclesInUse = sql`
    select vehicle_hash, bucket
    from (${statePartsSql(selection, stateIntervalsSql(selection, ridingStates))})`
  return sql`
    select
      ${keys},
      sum(marks) as snapshots,
      sum(part_ms) as deployed_ms,
      sumIf(part_ms, ${riding}) as riding_ms,
      uniqExact(vehicle_hash) as devices,
      uniqExactIf(vehicle_hash, ${riding}) as active,
      uniqExactIf(vehicle_hash, (vehicle_hash, bucket) not in (${vehiclesInUse})) as inactive
    from (${statePartsSql(selection, withKeysSql(stateIntervalsSql(selection, deployedStates), selection))})
    group by ${keys}`
}

/**
 * Builds SQL for the minimum and maximum number of vehicles at the full minutes of an interval, by series:
 * the name of a state, or `deployed`.
 */
export function extremesSql(selection: MetricSelection, series: readonly string[]): Sql {
  const bucket = bucketSql(selection)
  const { from, until } = getSpan(selection)
  const group = sql`operator_key, type_key, geography, series`
  const counted = sql`
    select
      *,
      arrayJoin(
        arrayFilter(
          name -> has(${bind('Array(String)', series)}, name),
          [
            ${translateColumn(sql`state`, selection.stateWords)},
            if(${stateCondition(deployedStates)}, 'deployed', '')
          ]
        )
      ) as series
    from (${withKeysSql(stateIntervalsSql(selection, null), selection)})`
  const starts = selection.edges.slice(0, -1).map((edge) => edge / 60_000)
  const endMinute = bind('Int64', String(until / 60_000))
  const firstMinute = bind('Int64', String(from / 60_000))
  // The second part adds the start of each interval, so that a number that does not change counts there too.
  const changes = sql`
    select ${group}, greatest(step.1, ${firstMinute}) as minute, step.2 as change
    from (
      select
        ${group},
        arrayJoin(
          arrayConcat([
            (${ceilToMinuteColumn(sql`begin_ms`)}, toInt64(1)),
            (${ceilToMinuteColumn(sql`end_ms`)}, toInt64(-1))
          ])
        ) as step
      from (${counted})
      where end_ms > begin_ms
    )
    where minute < ${endMinute}
    union all
    select ${group}, arrayJoin(${bind('Array(Int64)', starts)}) as minute, toInt64(0) as change
    from (select distinct ${group} from (${counted}))`
  return sql`
    select bucket, ${group}, min(vehicles) as smallest, max(vehicles) as largest
    from (
      select
        ${group},
        ${bucket.containing(sql`minute * 60000`)} as bucket,
        sum(sum(change)) over (
          partition by ${group}
          order by minute
          rows between unbounded preceding and current row
        ) as vehicles
      from (${changes})
      group by ${group}, minute
    )
    group by bucket, ${group}`
}

/** Builds SQL for the minimum and maximum hourly average within an interval. Its last hour may be shorter. */
export function hourlyAveragesSql(selection: MetricSelection): Sql {
  const bucket = bucketSql(selection)
  const start = bucket.start(sql`bucket`)
  const hourEnd = sql`least(${start} + (hour + 1) * 3600000, ${bucket.end(sql`bucket`)})`
  const hourStart = sql`${start} + hour * 3600000`
  const hours = sql`
    select
      ${keys}, hour,
      sum(
        ${ceilToMinuteColumn(sql`least(part_end_ms, ${hourEnd})`)} - ${ceilToMinuteColumn(sql`greatest(part_begin_ms, ${hourStart})`)}
      ) / (
        intDiv(any(${hourEnd}) - any(${hourStart}), 60000)
      ) as value
    from (
      select
        *,
        arrayJoin(
          arrayMap(
            step -> toInt64(step),
            range(
              toUInt64(intDiv(part_begin_ms - ${start}, 3600000)),
              toUInt64(intDiv(part_end_ms - 1 - ${start}, 3600000) + 1)
            )
          )
        ) as hour
      from (${statePartsSql(selection, withKeysSql(stateIntervalsSql(selection, deployedStates), selection))})
    )
    group by ${keys}, hour`
  return sql`
    select
      ${keys},
      if(
        count() < intDiv(${bucket.end(sql`bucket`)} - ${start} + 3599999, 3600000),
        0,
        min(value)
      ) as smallest,
      max(value) as largest
    from (${hours})
    group by ${keys}`
}

/** Trips that end more days than this after their start are ignored. */
const maxTripDays = 31

/**
 * Builds SQL for trips that start or end in an interval, and statistics of their durations (ms) and distances
 * (mm) without outliers.
 */
export function tripSumsSql(selection: MetricSelection, end: 'start' | 'end'): Sql {
  const { from, until } = getSpan(selection)
  const time = identifier(`${end}_time`)
  const lon = identifier(`${end}_lon`)
  const lat = identifier(`${end}_lat`)
  const dayColumn = (ms: number, shiftDays: number): Sql =>
    sql`toDate(${toDateTime(ms)}) ${shiftDays < 0 ? sql`-` : sql`+`} ${bind('UInt8', Math.abs(shiftDays))}`
  // In mm and ms; -1: unknown or an outlier. The upper limit is that of the stored reports.
  const valueColumn = (column: Sql): Sql =>
    sql`
      if(
        isFinite(${column})
        and ${column} >= 0
        and ${column} < 4294967
        and bitAnd(quality, ${bind('UInt16', toQualityBits(outlierFlags))}) = 0,
        toInt64(floor(${column} * 1000 + 0.5)),
        toInt64(-1)
      )`
  const rows = sql`
    select
      operator,
      toUUIDOrZero(vehicle_id) as device,
      vehicle_type,
      ${lon} as lon,
      ${lat} as lat,
      toInt64(${toMilliseconds(sql`assumeNotNull(${time})`)}) as moment,
      ${valueColumn(sql`duration_s`)} as duration_ms,
      ${valueColumn(sql`distance_m`)} as distance_mm
    from ${latest('trips')}
    where
      ${regionCondition(selection)}
      and local_date >= ${dayColumn(from, end === 'start' ? -2 : -maxTripDays)}
      and local_date <= ${dayColumn(until, 2)}
      and ${time} is not null
      and ${time} >= ${toDateTime(from)}
      and ${time} < ${toDateTime(until)}`
  const statisticsColumns = (name: 'duration_ms' | 'distance_mm'): Sql => {
    const column = identifier(name)
    const isKnown = sql`${column} >= 0`
    const alias = (suffix: string): Sql => identifier(`${name.split('_')[0]}_${suffix}`)
    return joinSql(
      [
        sql`countIf(${isKnown}) as ${alias('known')}`,
        sql`sumIf(${column}, ${isKnown}) as ${alias('sum')}`,
        sql`ifNotFinite(quantileExactInclusiveIf(0.5)(${column}, ${isKnown}), 0) as ${alias('median')}`,
        sql`ifNotFinite(stddevPopIf(toFloat64(${column}), ${isKnown}), 0) as ${alias('deviation')}`,
      ],
      ', ',
    )
  }
  return sql`
    select ${keys}, count() as started, ${statisticsColumns('duration_ms')}, ${statisticsColumns('distance_mm')}
    from (
      select *, ${bucketSql(selection).containing(sql`moment`)} as bucket
      from (${withKeysSql(rows, selection)})
    )
    group by ${keys}`
}

/** Builds SQL for the number of events by type. */
export function eventSumsSql(selection: MetricSelection, types: readonly string[]): Sql {
  const { from, until } = getSpan(selection)
  const rows = sql`
    select
      operator,
      device_id as device,
      '' as vehicle_type,
      lon, lat,
      toInt64(${toMilliseconds(sql`event_time`)}) as moment,
      event_types
    from ${latest('vehicle_events')}
    where
      ${regionCondition(selection)}
      and superseded = 0
      and event_time >= ${toDateTime(from)}
      and event_time < ${toDateTime(until)}
      and hasAny(event_types, ${bind('Array(String)', types)})`
  return sql`
    select ${keys}, event_type, count() as received
    from (
      select
        *,
        arrayJoin(
          arrayDistinct(arrayFilter(word -> has(${bind('Array(String)', types)}, word), event_types))
        ) as event_type,
        ${bucketSql(selection).containing(sql`moment`)} as bucket
      from (${withKeysSql(rows, selection)})
    )
    group by ${keys}, event_type`
}

/** Builds SQL for the distinct types of registered vehicles, as stored. */
export const registeredTypesSql = (selection: Pick<MetricSelection, 'regionId' | 'operators'>): Sql => sql`
  select distinct toString(vehicle_type) as vehicle_type
  from ${latest('vehicles')}
  where ${regionCondition(selection as MetricSelection)}
  order by vehicle_type`

/** Builds SQL for the time of the first fact, ms; 9000000000000, which the minimum ignores, without facts. */
export const firstFactSql = (regionId: string): Sql => {
  const first = (table: 'vehicle_intervals' | 'vehicle_events' | 'trips', column: string): Sql =>
    sql`
      select if(
          count() = 0,
          toInt64(9000000000000),
          toInt64(${toMilliseconds(sql`min(${identifier(column)})`)})
        ) as first
      from ${latest(table)}
      where region_id = ${bind('String', regionId)}`
  return sql`
    select min(first) as first
    from (
      ${first('vehicle_intervals', 'from_time')}
      union all
      ${first('vehicle_events', 'event_time')}
      union all
      ${first('trips', 'start_time')}
    )`
}
