import { dayFromNumber, dayNumber, type HourRange, isFullDay, localDay } from '#contract/period.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import type { DistributedValue, MetricDimension } from '#contract/metrics.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { hourConditions } from '../../trip-filter-sql.ts'
import { stateColumns, unknownValue } from './report-facts.ts'

/** Selects facts of reports, and how they are grouped. */
export interface ReportQuestion {
  regionId: string
  timezone: string
  /** Local days, both included. */
  first: string
  last: string
  /** Empty: all. */
  operators: readonly string[]
  vehicleTypes: readonly string[]
  /** ISO weekdays. */
  weekdays: readonly number[]
  hours: Readonly<HourRange>
  dimensions: readonly MetricDimension[]
}

/** The key of each dimension as text, from columns of report_hours. */
const dimensionColumns: Readonly<Record<MetricDimension, Sql>> = {
  hour: sql`concat(toString(day), 'T', leftPad(toString(local_hour), 2, '0'))`,
  day: sql`toString(day)`,
  week: sql`toString(toMonday(day))`,
  month: sql`toString(toStartOfMonth(day))`,
  hour_of_day: sql`toString(local_hour)`,
  day_of_week: sql`toString(toDayOfWeek(day))`,
  operator: sql`operator`,
  vehicle_type: sql`vehicle_type`,
  propulsion_type: sql`propulsion`,
}

/** An array with the keys of a group. */
const keysSql = (dimensions: readonly MetricDimension[]): Sql =>
  sql`[${
    dimensions.length
      ? joinSql(
          dimensions.map((dimension) => dimensionColumns[dimension]),
          ', ',
        )
      : sql`''`
  }]`

/**
 * The `group by` columns of a question: `keys` and other columns. If it has dimensions, the total is returned
 * as an additional row with empty keys.
 */
const groupingSets = ({ dimensions }: ReportQuestion, others: readonly string[] = []): Sql => {
  const columns = (names: readonly string[]): Sql => joinSql(names.map(identifier), ', ')
  return dimensions.length
    ? sql`grouping sets ((${columns(['keys', ...others])}), (${others.length ? columns(others) : sql``}))`
    : columns(['keys', ...others])
}

/** The rows of a table on the days of a question. */
const selectRows = (
  { regionId, first, last }: ReportQuestion,
  table: 'report_hours' | 'report_fleet_days',
  columns: readonly string[],
): Sql => sql`
  select ${joinSql(
    columns.map((name) => identifier(name)),
    ', ',
  )}
  from ${latest(table)}
  where
    region_id = ${bind('String', regionId)}
    and day >= ${bind('Date', first)}
    and day <= ${bind('Date', last)}`

/** The `where` clause of a question's filters. `hour`: the local hour, null if the rows are not by hour. */
export const filterSql = (
  { operators, vehicleTypes, weekdays, hours }: ReportQuestion,
  hour: Sql | null,
): Sql => {
  const conditions = [
    ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
    ...(vehicleTypes.length ? [sql`vehicle_type in ${bind('Array(String)', vehicleTypes)}`] : []),
    ...(weekdays.length ? [sql`toDayOfWeek(day) in ${bind('Array(UInt8)', weekdays)}`] : []),
    ...(hour ? hourConditions(hour, hours) : []),
  ]
  return conditions.length ? sql`where ${joinSql(conditions, ' and ')}` : sql``
}

/**
 * The selected rows with the column `keys`. It must be a column of a subquery, because grouping sets do not
 * accept its expression.
 */
const withKeys = (question: ReportQuestion, rows: Sql, hour: Sql | null): Sql => sql`
    select ${keysSql(question.dimensions)} as keys, * from (${rows}) ${filterSql(question, hour)}`

const unknown = sql`toUInt32(${bind('UInt32', unknownValue)})`
const deployedMs = joinSql(
  stateColumns.map((name) => sql`${identifier(name)}`),
  ', ',
)
const sumKnown = (list: Sql): Sql =>
  sql`sum(arraySum(value -> if(value = ${unknown}, 0, toUInt64(value)), ${list}))`
const countKnown = (list: Sql): Sql => sql`sum(arrayCount(value -> value != ${unknown}, ${list}))`

/** Sums of a group. 64-bit integers are text; quantiles are null if there are no values. */
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

const plainSums = [
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

/**
 * Median and 90th percentile of a list. One aggregate computes both, so that the values are stored only once.
 */
function quantiles(name: 'distance' | 'duration', list: Sql, needed: ReadonlySet<TripSum>): Sql[] {
  const [median, p90] = [`${name}_median`, `${name}_p90`] as const
  if (!needed.has(median) && !needed.has(p90)) return []
  const both = identifier(`${name}_quantiles`)
  return [
    sql`
      (
        quantilesExactInclusiveArray(0.5, 0.9)(
          arrayFilter(value -> value != ${unknown}, ${list})
        ) as ${both}
      )[1] as ${identifier(median)}`,
    sql`${both}[2] as ${identifier(p90)}`,
  ]
}

/** Sums by group and in total. Aggregates of distances and durations are computed only if they are needed. */
export function reportSums(question: ReportQuestion, needed: ReadonlySet<TripSum>): Sql {
  const [distances, durations] = [sql`row.distances`, sql`row.durations`]
  // Only trips with a known distance and duration, for mean speeds.
  const paired = (value: Sql): Sql =>
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
  const tripSums = {
    distances: countKnown(distances),
    distance_mm: sumKnown(distances),
    durations: countKnown(durations),
    duration_ms: sumKnown(durations),
    paired_mm: paired(sql`distance`),
    paired_ms: paired(sql`duration`),
  }
  const columns = [
    ...plainSums.map((name) => sql`sum(row.${identifier(name)}) as ${identifier(name)}`),
    ...Object.entries(tripSums)
      .filter(([name]) => needed.has(name as TripSum))
      .map(([name, value]) => sql`${value} as ${identifier(name)}`),
    ...quantiles('distance', distances, needed),
    ...quantiles('duration', durations, needed),
  ]
  const isRead = (list: string): boolean =>
    [...needed].some((name) => name.startsWith(list) || name.startsWith('paired'))
  const rows = selectRows(question, 'report_hours', [
    'day',
    'local_hour',
    'operator',
    'vehicle_type',
    'propulsion',
    ...(isRead('distance') ? ['distances'] : []),
    ...(isRead('duration') ? ['durations'] : []),
    ...plainSums,
  ])
  return sql`
  select row.keys as keys, ${joinSql(columns, ', ')}
  from (${withKeys(question, rows, sql`local_hour`)}) as row
  group by ${groupingSets(question)}
  order by keys`
}

/**
 * Trips and vehicle time by group and day, for ratios of trips to vehicles. Trips of operators without
 * vehicles on the day are not counted; `without_fleet` lists these operators.
 */
export const reportDaySums = (question: ReportQuestion): Sql => sql`
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
      sum(arraySum([${deployedMs}])) as deployed,
      sum(available_ms) as available
    from (
      ${withKeys(question, selectRows(question, 'report_hours', ['day', 'local_hour', 'operator', 'vehicle_type', 'propulsion', 'trip_count', ...stateColumns]), sql`local_hour`)}
    )
    group by ${groupingSets(question, ['operator', 'day'])}
  )
  group by keys, day
  order by keys, day`
export interface ReportDaySums {
  keys: string[]
  on_day: string
  trip_count: string
  deployed_ms: string
  available_ms: string
  without_fleet: string[]
}

/**
 * The largest average fleet of any hour, by group. The average of the current hour is over its elapsed part
 * (until `now`, ms).
 */
export const largestReportHour = (question: ReportQuestion, now: number): Sql => sql`
  select
    keys,
    max(
      deployed_ms / least(
        3600000,
        greatest(1, ${bind('Int64', String(now))} - toUnixTimestamp(hour) * 1000)
      )
    ) as value
  from (
    select keys, hour, sum(arraySum([${deployedMs}])) as deployed_ms
    from (
      ${withKeys(question, selectRows(question, 'report_hours', ['day', 'local_hour', 'hour', 'operator', 'vehicle_type', 'propulsion', ...stateColumns]), sql`local_hour`)}
    )
    group by ${groupingSets(question, ['hour'])}
  )
  group by keys
  order by keys`

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

const hourDimensions: readonly MetricDimension[] = ['hour', 'hour_of_day']

/** Whether a question divides days. Only the number of vehicles by minute is known for parts of days. */
export const isHourly = ({ dimensions, hours }: Pick<ReportQuestion, 'dimensions' | 'hours'>): boolean =>
  !isFullDay(hours) || dimensions.some((dimension) => hourDimensions.includes(dimension))

export function reportFleet(question: ReportQuestion): Sql {
  const rows = selectRows(question, 'report_fleet_days', [
    'day',
    'operator',
    'vehicle_type',
    'propulsion',
    'minutes',
    'deployed',
    'active',
    'daytime_ms',
  ])
  if (!isHourly(question))
    return sql`
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
        from (${withKeys(question, rows, null)})
        group by ${groupingSets(question, ['day'])}
      )
      group by keys
      order by keys`
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
            from (select * from (${rows}) ${filterSql(question, null)})
          )
          group by day, operator, vehicle_type, propulsion
        )
      )
    )
    ${hours.length ? sql`where ${joinSql(hours, ' and ')}` : sql``}
    group by keys
    order by keys`
}

/**
 * Parking events that begin in the selection: `value` is the duration (ms, open events last until `now`),
 * with the columns of all dimensions.
 */
const parkingDurations = (question: ReportQuestion, now: number): Sql => {
  const { regionId, timezone, first, last } = question
  const local = sql`toTimeZone(from_time, ${bind('String', timezone)})`
  const until = startOfDay(dayFromNumber(dayNumber(last) + 1), timezone)
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
          least(${msOf(sql`to_time`)}, ${bind('Int64', String(now))}) - ${msOf(sql`from_time`)}
        ) as value
      from (
        select operator, device_id, vehicle_type, from_time, to_time
        from ${latest('parking_events')}
        where
          region_id = ${bind('String', regionId)}
          and from_time >= ${instant(startOfDay(first, timezone))}
          and from_time < ${instant(Math.min(until, now))}
      ) as parking
      left join (
        select operator, device_id, arrayStringConcat(arraySort(propulsion_types), '+') as propulsion
        from ${latest('vehicles')}
        where region_id = ${bind('String', regionId)}
      ) as vehicle
        on vehicle.operator = parking.operator and vehicle.device_id = parking.device_id
    ) ${filterSql(question, sql`local_hour`)}`
}

/**
 * Number and durations (ms) of parking events that begin in the selection; `over`: events of at least
 * `limitMs`. Open events last until `now` (ms).
 */
export const parkingSums = (
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
    from (${parkingDurations(question, now)})
  )
  group by ${groupingSets(question)}
  order by keys`
export interface ParkingSums {
  keys: string[]
  events: string
  duration_ms: string
  over: string
  duration_median?: number
}

/**
 * Values of trips (mm, ms, m/s) or parking events (ms), one per row, with `keys`. Their mean is
 * sum(numerator) / sum(denominator).
 */
function distributedRows(question: ReportQuestion, value: DistributedValue, now: number): Sql {
  const keys = keysSql(question.dimensions)
  if (value === 'parked_duration')
    return sql`
      select
        ${keys} as keys,
        toFloat64(value) as value,
        value as numerator,
        1 as denominator
      from (${parkingDurations(question, now)})`
  const trips = sql`
    select *
    from (
      ${selectRows(question, 'report_hours', ['day', 'local_hour', 'hour', 'operator', 'vehicle_type', 'propulsion', 'distances', 'durations'])}
    ) ${filterSql(question, sql`local_hour`)}`
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

/** Count, mean and quantiles of the values of each group. */
export const distributionStatistics = (
  question: ReportQuestion,
  value: DistributedValue,
  now: number,
): Sql => sql`
  select
    keys,
    count() as n,
    sum(numerator) / sum(denominator) as mean,
    quantilesExactInclusive(0, 0.25, 0.5, 0.75, 0.9, 1)(value) as quantiles
  from (${distributedRows(question, value, now)})
  group by ${groupingSets(question)}
  order by keys`
export interface DistributionRow {
  keys: string[]
  n: string
  mean: number
  quantiles: number[]
}

/**
 * The number of values by group and bin. `bins`: ascending lower bounds, in the unit of the stored values.
 */
export const binCounts = (
  question: ReportQuestion,
  { value, bins, now }: { value: DistributedValue; bins: readonly number[]; now: number },
): Sql => {
  const bounds = bind('Array(Float64)', bins)
  return sql`
  select keys, indexOf(${bounds}, bound) as bin, n
  from (
    select keys, roundDown(value, ${bounds}) as bound, count() as n
    from (${distributedRows(question, value, now)})
    where value >= ${bounds}[1]
    group by ${groupingSets(question, ['bound'])}
  )
  order by keys, bin`
}
export interface BinRow {
  keys: string[]
  /** Number of the bin, from 1. */
  bin: number
  n: string
}

/** The number of records of operators' feeds by day. `numbers` are those of the local `hours`. */
export const reportRecords = (question: ReportQuestion): Sql => sql`
  select
    operator,
    toString(day) as on_day,
    groupArray(local_hour) as hours,
    groupArray(hour_records) as numbers
  from (
    select operator, day, local_hour, sum(records) as hour_records
    from (
      ${selectRows(question, 'report_hours', ['day', 'local_hour', 'operator', 'vehicle_type', 'records'])}
    )
    ${filterSql({ ...question, weekdays: [], vehicleTypes: [] }, null)}
    group by operator, day, local_hour
  )
  group by operator, day`
export interface ReportRecords {
  operator: string
  on_day: string
  hours: number[]
  numbers: string[]
}

/** The start of the newest hour with facts, seconds since 1970; 0 without facts. */
export const newestReportHour = (question: ReportQuestion): Sql => sql`
  select toString(maxIf(toUnixTimestamp(hour), records + trip_count > 0)) as hour
  from (
    ${selectRows(question, 'report_hours', ['day', 'local_hour', 'hour', 'operator', 'vehicle_type', 'records', 'trip_count'])}
  )
  ${filterSql(question, sql`local_hour`)}`

/**
 * The newest fact within an hour, ms since 1970. Trips are stored by local day, so only the days around it
 * are read.
 */
export const newestFactWithin = ({ regionId, timezone, operators }: ReportQuestion, hour: number): Sql => {
  const day = dayNumber(localDay(new Date(hour), timezone))
  const isWithinDays = sql`
    local_date >= ${bind('Date', dayFromNumber(day - 1))}
    and local_date <= ${bind('Date', dayFromNumber(day + 1))}`
  const thisRegion = sql`region_id = ${bind('String', regionId)}${operators.length ? sql` and operator in ${bind('Array(String)', operators)}` : sql``}`
  const within = (time: Sql): Sql =>
    sql`${time} >= ${instant(hour)} and ${time} < ${instant(hour + 3_600_000)}`
  return sql`
    select toString(max(ms)) as newest
    from (
      select toUnixTimestamp64Milli(event_time) as ms
      from ${latest('vehicle_events')}
      where ${thisRegion} and superseded = 0 and ${within(sql`event_time`)}
      union all
      select toUnixTimestamp64Milli(start_time) as ms
      from ${latest('trips')}
      where ${thisRegion} and ${isWithinDays} and ${within(sql`start_time`)}
    )`
}
