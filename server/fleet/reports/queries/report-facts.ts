import { toQualityBits, outlierFlags } from '#contract/mobility.ts'
import { hourMs } from '#contract/period.ts'
import { deployedStates } from '#contract/vehicle-states.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { dropOffEvents } from '../../cubes/cube-columns.ts'
import { overlappingParkingSql } from '../../cubes/queries/cube-facts.ts'

/** Successive local days of a region, and the settings that their facts depend on. */
export interface ReportDays {
  regionId: string
  timezone: string
  lostAfterHours: number
  /** How much earlier the hours of the region begin than those of UTC, ms (`hourShift`). */
  shift: number
  /** The days, in order. `from` and `until` are ms, half open; `until` is not in the future. */
  days: readonly {
    day: string
    from: number
    until: number
    /** Operating hours within the day, ms, half open. */
    operating: readonly (readonly [number, number])[]
  }[]
}

/** Key columns of both tables. */
export const reportKeys = ['operator', 'vehicle_type', 'propulsion'] as const

/** The columns with the vehicle time of each deployed state. */
export const stateColumns = deployedStates.map((state) => `${state}_ms` as const)

const hourSums = [
  'parking_begins',
  'drop_offs',
  'pick_ups',
  'parked_ms',
  ...stateColumns,
  'low_battery_ms',
  'records',
] as const
const hourLists = ['distances', 'durations'] as const

/** The columns of report_hours. */
export const reportHourColumns = [
  'region_id',
  'day',
  ...reportKeys,
  'hour',
  'local_hour',
  'trip_count',
  'excluded',
  ...hourLists,
  ...hourSums,
  'is_deleted',
  'version',
] as const
/** The columns of report_fleet_days. */
export const reportFleetColumns = [
  'region_id',
  'day',
  ...reportKeys,
  'minutes',
  'deployed',
  'active',
  'daytime_ms',
  'is_deleted',
  'version',
] as const

/** Stored in place of the distance or duration of a trip if it is unknown or an outlier. */
export const unknownValue = 2 ** 32 - 1

const getSpan = ({ days }: ReportDays): { from: number; until: number } => ({
  from: days[0]?.from ?? 0,
  until: days.at(-1)?.until ?? 0,
})
export const regionCondition = ({ regionId }: ReportDays): Sql => sql`region_id = ${bind('String', regionId)}`
export const daysCondition = ({ days }: ReportDays): Sql =>
  sql`local_date >= ${bind('Date', days[0]?.day)} and local_date <= ${bind('Date', days.at(-1)?.day)}`

/** Default values, with their types, of columns that a part of the `union all` may omit. */
const emptyColumns: Readonly<Record<string, Sql>> = {
  trip_count: sql`toUInt32(0)`,
  excluded: sql`toUInt32(0)`,
  ...Object.fromEntries(hourLists.map((name) => [name, sql`emptyArrayUInt32()`])),
  ...Object.fromEntries(hourSums.map((name) => [name, sql`toUInt64(0)`])),
}

/**
 * Adds `propulsion` and `kind` (vehicle type) of the registered vehicle to rows with `operator`, `device` and
 * `vehicle_type`.
 */
export const withVehiclesSql = (rows: Sql, query: ReportDays): Sql => sql`
  select
    fact.*,
    if(fact.vehicle_type != '', fact.vehicle_type, if(vehicle.kind = '', 'other', vehicle.kind)) as kind,
    vehicle.propulsion as propulsion
  from (${rows}) as fact
  left join (
    select
      operator,
      device_id as device,
      vehicle_type as kind,
      arrayStringConcat(arraySort(propulsion_types), '+') as propulsion
    from ${latest('vehicles')}
    where ${regionCondition(query)}
  ) as vehicle
    on vehicle.operator = fact.operator and vehicle.device = fact.device`

/**
 * Returns a part of the `union all`: sums of rows (of withVehicles) by hour, with default values for columns
 * of other parts.
 */
const unionPartSql = (columns: Readonly<Record<string, Sql>>, rows: Sql): Sql =>
  sql`select hour_number, operator, kind, propulsion, ${joinSql(
    Object.entries(emptyColumns).map(
      ([name, empty]) => sql`${columns[name] ?? empty} as ${identifier(name)}`,
    ),
    ', ',
  )} from (${rows}) group by hour_number, operator, kind, propulsion`

/** Builds SQL for the number (since 1970) of the hour that contains a time. */
export const hourNumberColumn = (ms: Sql, { shift }: ReportDays): Sql =>
  sql`toUInt32(intDiv(${ms} + ${bind('Int64', shift)}, ${bind('Int64', hourMs)}))`

const tripPartSql = (query: ReportDays): Sql => {
  const unknown = sql`toUInt32(${bind('UInt32', unknownValue)})`
  const isOutlier = sql`bitAnd(quality, ${bind('UInt16', toQualityBits(outlierFlags))}) != 0`
  // Stored as UInt32, in millimeters and milliseconds. Values that do not fit (from 4,294,967) are unknown.
  const valueColumn = (column: 'distance_m' | 'duration_s'): Sql =>
    sql`
      if(
        not isFinite(${identifier(column)})
        or ${isOutlier}
        or ${identifier(column)} < 0
        or ${identifier(column)} >= 4294967,
        ${unknown},
        toUInt32(floor(${identifier(column)} * 1000 + 0.5))
      )`
  return unionPartSql(
    {
      trip_count: sql`toUInt32(count())`,
      excluded: sql`toUInt32(countIf(${isOutlier}))`,
      records: sql`toUInt64(countIf(source in ('report', 'both')))`,
      distances: sql`groupArray(distance_mm)`,
      durations: sql`groupArray(duration_ms)`,
    },
    withVehiclesSql(
      sql`
        select
          ${hourNumberColumn(toMilliseconds(sql`start_time`), query)} as hour_number,
          operator,
          toUUIDOrZero(vehicle_id) as device,
          vehicle_type, quality, source,
          ${valueColumn('distance_m')} as distance_mm,
          ${valueColumn('duration_s')} as duration_ms
        from ${latest('trips')}
        where ${regionCondition(query)} and ${daysCondition(query)}`,
      query,
    ),
  )
}

/** Builds SQL for intervals (`begin_ms`, `end_ms`) of deployed vehicles, clipped to the days. */
export const deployedIntervalsSql = (query: ReportDays): Sql => {
  const { from, until } = getSpan(query)
  const rule = createLostRule(query.lostAfterHours)
  return sql`
    select
      operator,
      device_id as device,
      vehicle_type, state,
      has(event_types, 'battery_low') as is_low,
      toInt64(greatest(${toMilliseconds(sql`from_time`)}, ${bind('Int64', String(from))})) as begin_ms,
      toInt64(
        least(
          ${toMilliseconds(sql`least(to_time, ${rule.lostAt(sql`from_time`)})`)},
          ${bind('Int64', String(until))}
        )
      ) as end_ms
    from ${latest('vehicle_intervals')}
    where
      ${regionCondition(query)}
      and state in ${bind('Array(String)', deployedStates)}
      and from_time < ${toDateTime(until)}
      and ${rule.hasContact(sql`from_time`, toDateTime(from))}
      and to_time > ${toDateTime(from)}`
}

/** Splits rows with `begin_ms` and `end_ms` by hour: `hour_number`, `part_ms`. */
export const splitByHourSql = (rows: Sql, query: ReportDays): Sql => {
  const shift = bind('Int64', query.shift)
  const length = bind('Int64', hourMs)
  return sql`
    select
      *,
      least(end_ms, (toInt64(hour_number) + 1) * ${length} - ${shift})
      - greatest(begin_ms, toInt64(hour_number) * ${length} - ${shift}) as part_ms
    from (
      select
        *,
        arrayJoin(
          range(${hourNumberColumn(sql`begin_ms`, query)}, ${hourNumberColumn(sql`end_ms - 1`, query)} + 1)
        ) as hour_number
      from (${rows})
      where end_ms > begin_ms
    )`
}

const statePartSql = (query: ReportDays): Sql =>
  unionPartSql(
    {
      ...Object.fromEntries(
        deployedStates.map((state) => [
          `${state}_ms`,
          sql`toUInt64(sumIf(part_ms, state = ${bind('String', state)}))`,
        ]),
      ),
      low_battery_ms: sql`toUInt64(sumIf(part_ms, state = 'non_operational' and is_low))`,
    },
    splitByHourSql(withVehiclesSql(deployedIntervalsSql(query), query), query),
  )

/** Builds SQL for parking events that overlap the days. */
export const parkingRows = (query: ReportDays): Sql => overlappingParkingSql({ ...query, ...getSpan(query) })

const parkedPartSql = (query: ReportDays): Sql => {
  const { from, until } = getSpan(query)
  return unionPartSql(
    { parked_ms: sql`toUInt64(sum(part_ms))` },
    splitByHourSql(
      withVehiclesSql(
        sql`
          select
            operator,
            device_id as device,
            vehicle_type,
            toInt64(greatest(${toMilliseconds(sql`from_time`)}, ${bind('Int64', String(from))})) as begin_ms,
            toInt64(least(${toMilliseconds(sql`to_time`)}, ${bind('Int64', String(until))})) as end_ms
          from (${parkingRows(query)})`,
        query,
      ),
      query,
    ),
  )
}

const parkingPartSql = (query: ReportDays): Sql => {
  const { from, until } = getSpan(query)
  return unionPartSql(
    { parking_begins: sql`toUInt64(count())` },
    withVehiclesSql(
      sql`
        select
          ${hourNumberColumn(toMilliseconds(sql`from_time`), query)} as hour_number,
          operator,
          device_id as device,
          vehicle_type
        from ${latest('parking_events')}
        where ${regionCondition(query)} and from_time >= ${toDateTime(from)} and from_time < ${toDateTime(until)}`,
      query,
    ),
  )
}

const eventPartSql = (query: ReportDays): Sql => {
  const { from, until } = getSpan(query)
  const dropOffTypes = bind('Array(String)', dropOffEvents)
  return unionPartSql(
    {
      drop_offs: sql`toUInt64(countIf(hasAny(event_types, ${dropOffTypes})))`,
      pick_ups: sql`toUInt64(countIf(has(event_types, 'rebalance_pick_up')))`,
      records: sql`toUInt64(count())`,
    },
    withVehiclesSql(
      sql`
        select
          ${hourNumberColumn(toMilliseconds(sql`event_time`), query)} as hour_number,
          operator,
          device_id as device,
          '' as vehicle_type,
          event_types
        from ${latest('vehicle_events')}
        where
          ${regionCondition(query)}
          and superseded = 0
          and event_time >= ${toDateTime(from)}
          and event_time < ${toDateTime(until)}`,
      query,
    ),
  )
}

const unionAll = (parts: readonly Sql[]): Sql =>
  parts.reduce((union, select) => sql`${union} union all ${select}`)

/** Builds SQL for rows of `report_hours`, without the columns region, deletion and version. */
export const reportHourRows = (query: ReportDays): Sql => {
  const parts = unionAll(
    [tripPartSql, statePartSql, parkedPartSql, parkingPartSql, eventPartSql].map((buildSql) =>
      buildSql(query),
    ),
  )
  const local = sql`toTimeZone(hour, ${bind('String', query.timezone)})`
  const sums = ['trip_count', 'excluded', ...hourSums].map(
    (name) => sql`sum(row.${identifier(name)}) as ${identifier(name)}`,
  )
  const lists = hourLists.map((name) => sql`groupArrayArray(row.${identifier(name)}) as ${identifier(name)}`)
  return sql`
    select
      toDate(${local}) as day,
      operator,
      kind as vehicle_type,
      propulsion,
      toDateTime(toInt64(hour_number) * 3600 - ${bind('Int64', query.shift / 1000)}, 'UTC') as hour,
      toUInt8(toHour(${local})) as local_hour,
      ${joinSql([...sums.slice(0, 2), ...lists, ...sums.slice(2)], ', ')}
    from (${parts}) as row
    group by hour_number, operator, kind, propulsion`
}
