import { dayFromNumber, dayNumber, hourMs, localDay } from '#contract/period.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { hourConditions } from '../../trip-filter-sql.ts'
import { stateColumns } from './report-facts.ts'
import {
  filterClause,
  groupingSets,
  isHourly,
  keysSql,
  type ReportQuestion,
  rowsSql,
  unknown,
  withKeysSql,
} from './report-question.ts'

/** The columns with vehicle time in deployed states. */
const deployedColumns = joinSql(
  stateColumns.map((name) => sql`${identifier(name)}`),
  ', ',
)
const sumKnownColumn = (list: Sql): Sql =>
  sql`sum(arraySum(value -> if(value = ${unknown}, 0, toUInt64(value)), ${list}))`
const countKnownColumn = (list: Sql): Sql => sql`sum(arrayCount(value -> value != ${unknown}, ${list}))`

/**
 * Sums of a group. 64-bit integers are text; quantiles are null if there are no values. `distances`,
 * `durations`: the number of trips with a known value; `paired_*`: sums over trips with both.
 */
export interface ReportSums {
  keys: string[]
  trip_count: string
  excluded: string
  distances?: string
  distance_mm?: string
  durations?: string
  duration_ms?: string
  paired_mm?: string
  paired_ms?: string
  parking_begins: string
  drop_offs: string
  pick_ups: string
  parked_ms: string
  available_ms: string
  reserved_ms: string
  on_trip_ms: string
  stopped_ms: string
  non_operational_ms: string
  non_contactable_ms: string
  low_battery_ms: string
  distance_median?: number | null
  distance_p90?: number | null
  duration_median?: number | null
  duration_p90?: number | null
}

const summedColumns = [
  'trip_count',
  'excluded',
  'parking_begins',
  'drop_offs',
  'pick_ups',
  'parked_ms',
  ...stateColumns,
  'low_battery_ms',
] as const

/**
 * Aggregates of distances (mm) and durations (ms) of trips. Only those that are needed are computed, because
 * each reads every trip.
 */
export type TripSum =
  | 'distances'
  | 'distance_mm'
  | 'distance_median'
  | 'distance_p90'
  | 'durations'
  | 'duration_ms'
  | 'duration_median'
  | 'duration_p90'
  | 'paired_mm'
  | 'paired_ms'

/** Builds columns for the median and 90th percentile of a list, from one aggregate. Empty if not needed. */
function quantileColumns(name: 'distance' | 'duration', list: Sql, needed: ReadonlySet<TripSum>): Sql[] {
  const median = `${name}_median` as const
  const p90 = `${name}_p90` as const
  if (!needed.has(median) && !needed.has(p90)) return []
  const quantilesColumn = identifier(`${name}_quantiles`)
  return [
    sql`
      (
        quantilesExactInclusiveArray(0.5, 0.9)(
          arrayFilter(value -> value != ${unknown}, ${list})
        ) as ${quantilesColumn}
      )[1] as ${identifier(median)}`,
    sql`${quantilesColumn}[2] as ${identifier(p90)}`,
  ]
}

/** Builds SQL for sums by group and in total. Distances and durations are aggregated only if they are needed. */
export function reportSumsSql(question: ReportQuestion, needed: ReadonlySet<TripSum>): Sql {
  const distances = sql`row.distances`
  const durations = sql`row.durations`
  // Sums over trips with a known distance and duration, for mean speeds.
  const pairedSumColumn = (value: Sql): Sql =>
    sql`
      sum(
        arraySum(
          (distance, duration) -> if(
            distance = ${unknown} or duration = ${unknown},
            0,
            toUInt64(${value})
          ),
          ${distances},
          ${durations}
        )
      )`
  const tripSumColumns = {
    distances: countKnownColumn(distances),
    distance_mm: sumKnownColumn(distances),
    durations: countKnownColumn(durations),
    duration_ms: sumKnownColumn(durations),
    paired_mm: pairedSumColumn(sql`distance`),
    paired_ms: pairedSumColumn(sql`duration`),
  }
  const columns = [
    ...summedColumns.map((name) => sql`sum(row.${identifier(name)}) as ${identifier(name)}`),
    ...Object.entries(tripSumColumns)
      .filter(([name]) => needed.has(name as TripSum))
      .map(([name, value]) => sql`${value} as ${identifier(name)}`),
    ...quantileColumns('distance', distances, needed),
    ...quantileColumns('duration', durations, needed),
  ]
  const isRead = (list: string): boolean =>
    [...needed].some((name) => name.startsWith(list) || name.startsWith('paired'))
  const rows = rowsSql(question, 'report_hours', [
    'day',
    'local_hour',
    'operator',
    'vehicle_type',
    'propulsion',
    ...(isRead('distance') ? ['distances'] : []),
    ...(isRead('duration') ? ['durations'] : []),
    ...summedColumns,
  ])
  return sql`
  select row.keys as keys, ${joinSql(columns, ', ')}
  from (${withKeysSql(question, rows, sql`local_hour`)}) as row
  group by ${groupingSets(question)}
  order by keys`
}

/**
 * Builds SQL for trips and vehicle time by group and day, for ratios of trips to vehicles. Trips of operators
 * without vehicles on the day are not counted; `without_fleet` lists these operators.
 */
export const reportDaySumsSql = (question: ReportQuestion): Sql => {
  const hours = rowsSql(question, 'report_hours', [
    'day',
    'local_hour',
    'operator',
    'vehicle_type',
    'propulsion',
    'trip_count',
    ...stateColumns,
  ])
  return sql`
  select
    keys,
    toString(day) as on_day,
    sumIf(started, deployed > 0) as trip_count,
    sum(deployed) as deployed_ms,
    sum(available) as available_ms,
    groupArrayIf(operator, started > 0 and deployed = 0) as without_fleet
  from (
    select
      keys, operator, day,
      sum(trip_count) as started,
      sum(arraySum([${deployedColumns}])) as deployed,
      sum(available_ms) as available
    from (${withKeysSql(question, hours, sql`local_hour`)})
    group by ${groupingSets(question, ['operator', 'day'])}
  )
  group by keys, day
  order by keys, day`
}
/** Sums of a group and day. 64-bit integers are text. */
export interface ReportDaySums {
  keys: string[]
  on_day: string
  trip_count: string
  deployed_ms: string
  available_ms: string
  without_fleet: string[]
}

/**
 * Builds SQL for the largest average fleet of any hour, by group. The average of the current hour is over its
 * elapsed part (until `now`, ms).
 */
export const largestReportHourSql = (question: ReportQuestion, now: number): Sql => {
  const hours = rowsSql(question, 'report_hours', [
    'day',
    'local_hour',
    'hour',
    'operator',
    'vehicle_type',
    'propulsion',
    ...stateColumns,
  ])
  return sql`
  select
    keys,
    max(
      deployed_ms / least(
        3600000,
        greatest(1, ${bind('Int64', String(now))} - toUnixTimestamp(hour) * 1000)
      )
    ) as value
  from (
    select keys, hour, sum(arraySum([${deployedColumns}])) as deployed_ms
    from (${withKeysSql(question, hours, sql`local_hour`)})
    group by ${groupingSets(question, ['hour'])}
  )
  group by keys
  order by keys`
}

/**
 * By group: the largest number of vehicles at any minute (`max`), vehicle days (`deployed`), and vehicle days
 * with a trip (`active`, of operators with vehicles on the day).
 */
export interface ReportFleet {
  keys: string[]
  max: string
  deployed: string
  active: string
  daytime_ms: string
}

/**
 * Builds SQL for figures of the fleet by group. Vehicle days are not known by hour, so with a filter of hours
 * only `max` is.
 */
export function reportFleetSql(question: ReportQuestion): Sql {
  const rows = rowsSql(question, 'report_fleet_days', [
    'day',
    'operator',
    'vehicle_type',
    'propulsion',
    'minutes',
    'deployed',
    'active',
    'daytime_ms',
  ])
  return isHourly(question) ? fleetOfHoursSql(question, rows) : fleetOfDaysSql(question, rows)
}

/** Builds SQL for the fleet by group, from sums by day. */
const fleetOfDaysSql = (question: ReportQuestion, rows: Sql): Sql => sql`
  select
    keys,
    max(arrayMax(arrayPushBack(counts, 0))) as max,
    sum(day_deployed) as deployed,
    sum(day_daytime_ms) as daytime_ms,
    sum(
      arraySum(
        operator -> if(deployed_by_operator[operator] > 0, active_by_operator[operator], 0),
        mapKeys(active_by_operator)
      )
    ) as active
  from (
    select
      keys, day,
      sumForEach(minutes) as counts,
      sum(deployed) as day_deployed,
      sum(daytime_ms) as day_daytime_ms,
      sumMap(map(operator, deployed)) as deployed_by_operator,
      sumMap(map(operator, active)) as active_by_operator
    from (${withKeysSql(question, rows, null)})
    group by ${groupingSets(question, ['day'])}
  )
  group by keys
  order by keys`

/** Builds SQL for the largest number of vehicles at any minute of the question's hours, by group. */
function fleetOfHoursSql(question: ReportQuestion, rows: Sql): Sql {
  const zone = bind('String', question.timezone)
  const groups = joinSql(
    (
      [
        ['operator', 'operator'],
        ['vehicle_type', 'vehicle_type'],
        ['propulsion_type', 'propulsion'],
      ] as const
    ).map(([dimension, column]) =>
      question.dimensions.includes(dimension) ? identifier(column) : sql`'' as ${identifier(column)}`,
    ),
    ', ',
  )
  const hours = hourConditions(sql`local_hour`, question.hours)
  // Minutes are summed before they are unfolded by hour, which leaves 1,440 rows per day and group.
  return sql`
    select
      ${keysSql(question.dimensions)} as keys,
      max(part.1) as max,
      toUInt64(0) as deployed,
      toUInt64(0) as active,
      toUInt64(0) as daytime_ms
    from (
      select day, operator, vehicle_type, propulsion, part, part.2 as local_hour
      from (
        select
          *,
          arrayJoin(
            arrayZip(
              counts,
              arrayMap(
                minute -> toUInt8(
                  toHour(
                    toTimeZone(
                      toDateTime(toUnixTimestamp(toDateTime(day, ${zone})) + (minute - 1) * 60, 'UTC'),
                      ${zone}
                    )
                  )
                ),
                arrayEnumerate(counts)
              )
            )
          ) as part
        from (
          select day, operator, vehicle_type, propulsion, sumForEach(minutes) as counts
          from (
            select day, ${groups}, minutes
            from (select * from (${rows}) ${filterClause(question, null)})
          )
          group by day, operator, vehicle_type, propulsion
        )
      )
    )
    ${hours.length ? sql`where ${joinSql(hours, ' and ')}` : sql``}
    group by keys
    order by keys`
}

/** Builds SQL for the number of records of operators' feeds by day. `numbers` are those of the local `hours`. */
export const reportRecordsSql = (question: ReportQuestion): Sql => {
  const rows = rowsSql(question, 'report_hours', ['day', 'local_hour', 'operator', 'vehicle_type', 'records'])
  return sql`
  select
    operator,
    toString(day) as on_day,
    groupArray(local_hour) as hours,
    groupArray(hour_records) as numbers
  from (
    select operator, day, local_hour, sum(records) as hour_records
    from (${rows})
    ${filterClause({ ...question, weekdays: [], vehicleTypes: [] }, null)}
    group by operator, day, local_hour
  )
  group by operator, day`
}
/** The number of records by local hour: `numbers[i]` in the hour `hours[i]`. */
export interface ReportRecords {
  operator: string
  on_day: string
  hours: number[]
  numbers: string[]
}

/** Returns the start of the newest hour with facts, seconds since 1970; 0 without facts. */
export const newestReportHourSql = (question: ReportQuestion): Sql => {
  const rows = rowsSql(question, 'report_hours', [
    'day',
    'local_hour',
    'hour',
    'operator',
    'vehicle_type',
    'records',
    'trip_count',
  ])
  return sql`
    select toString(maxIf(toUnixTimestamp(hour), records + trip_count > 0)) as hour
    from (${rows})
    ${filterClause(question, sql`local_hour`)}`
}

/** Returns the first day with facts of some operators, or of all if none are named; no row without facts. */
export const firstReportDaySql = ({
  regionId,
  operators,
}: Pick<ReportQuestion, 'regionId' | 'operators'>): Sql => sql`
  select toString(day) as first_day
  from ${latest('report_hours')}
  where
    region_id = ${bind('String', regionId)} and records + trip_count > 0
    ${operators.length ? sql`and operator in ${bind('Array(String)', operators)}` : sql``}
  order by day
  limit 1`

/**
 * Builds SQL for the newest fact within an hour, ms since 1970. Trips are stored by local day, so only the
 * days around it are read.
 */
export const newestFactWithinSql = ({ regionId, timezone, operators }: ReportQuestion, hour: number): Sql => {
  const day = dayNumber(localDay(new Date(hour), timezone))
  const isWithinDays = sql`
    local_date >= ${bind('Date', dayFromNumber(day - 1))}
    and local_date <= ${bind('Date', dayFromNumber(day + 1))}`
  const operatorFilter = operators.length ? sql`and operator in ${bind('Array(String)', operators)}` : sql``
  const thisRegion = sql`region_id = ${bind('String', regionId)} ${operatorFilter}`
  const withinCondition = (time: Sql): Sql =>
    sql`${time} >= ${toDateTime(hour)} and ${time} < ${toDateTime(hour + hourMs)}`
  return sql`
    select toString(max(ms)) as newest
    from (
      select toUnixTimestamp64Milli(event_time) as ms
      from ${latest('vehicle_events')}
      where ${thisRegion} and superseded = 0 and ${withinCondition(sql`event_time`)}
      union all
      select toUnixTimestamp64Milli(start_time) as ms
      from ${latest('trips')}
      where ${thisRegion} and ${isWithinDays} and ${withinCondition(sql`start_time`)}
    )`
}
