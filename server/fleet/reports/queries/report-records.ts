import { type MeasureKey, type RecordKind, measureStates } from '#contract/metrics.ts'
import { toQualityBits, outlierFlags } from '#contract/mobility.ts'
import { hourMs } from '#contract/period.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { dropOffEvents } from '../../cubes/cube-columns.ts'
import {
  deployedIntervalsSql,
  parkingRows,
  type ReportDays,
  splitByHourSql,
  withVehiclesSql,
} from './report-facts.ts'
import { filterClause, type ReportQuestion } from './report-question.ts'

/** A question about the records behind a measure. `limitMs`: minimum of parking events over the limit. */
export interface RecordsQuestion extends ReportQuestion {
  measure: MeasureKey
  kind: RecordKind
  limitMs: number
  days: ReportDays
}

/** A record as returned by the query. Times are ms since 1970; `until_ms` -1: open or unknown. */
export interface RecordRow {
  operator: string
  vehicle_id: string
  kind: string
  from_ms: string
  until_ms: string
  state: string
  distance_m: number | null
  duration_ms: number | null
  is_excluded: 0 | 1
}

/** Returns the vehicle states that a measure counts; null: all. */
const getStates = (measure: MeasureKey): readonly string[] | null => {
  if (measure in measureStates) return measureStates[measure as keyof typeof measureStates]
  if (measure === 'utilization') return ['on_trip', 'stopped']
  if (measure === 'idle_share') return ['available']
  return measure === 'non_operational_share' || measure === 'low_battery_time' ? ['non_operational'] : null
}

const regionCondition = ({ regionId }: RecordsQuestion): Sql => sql`region_id = ${bind('String', regionId)}`

/** Returns the time range of the question's days, ms, half open. */
const getSpan = ({ days: { days } }: RecordsQuestion): { from: number; until: number } => ({
  from: days[0]?.from ?? 0,
  until: days.at(-1)?.until ?? 0,
})

function withinCondition(question: RecordsQuestion, time: Sql): Sql {
  const { from, until } = getSpan(question)
  return sql`${time} >= ${toDateTime(from)} and ${time} < ${toDateTime(until)}`
}

function localTimeColumns({ timezone }: RecordsQuestion, time: Sql): Sql {
  const local = sql`toTimeZone(${time}, ${bind('String', timezone)})`
  return sql`toDate(${local}) as day, toUInt8(toHour(${local})) as local_hour`
}

function tripRecordsSql(question: RecordsQuestion): Sql {
  const { days } = question.days
  const isOutlier = sql`bitAnd(quality, ${bind('UInt16', toQualityBits(outlierFlags))}) != 0`
  const finiteColumn = (column: Sql): Sql => sql`if(isFinite(${column}), ${column}, null)`
  return sql`
    select
      toString(trip_id) as record,
      operator,
      toUUIDOrZero(vehicle_id) as device,
      vehicle_type,
      ${toMilliseconds(sql`start_time`)} as from_ms,
      ifNull(${toMilliseconds(sql`end_time`)}, -1) as until_ms,
      '' as state,
      ${finiteColumn(sql`distance_m`)} as distance_m,
      ${finiteColumn(sql`duration_s * 1000`)} as duration_ms,
      ${isOutlier} as is_excluded,
      local_date as day,
      toUInt8(local_hour) as local_hour
    from ${latest('trips')}
    where
      ${regionCondition(question)}
      and local_date >= ${bind('Date', days[0]?.day)}
      and local_date <= ${bind('Date', days.at(-1)?.day)}`
}

function parkingRecordsSql(question: RecordsQuestion): Sql {
  const { measure, limitMs } = question
  const { until } = getSpan(question)
  const length = sql`
    greatest(
      0,
      least(${toMilliseconds(sql`to_time`)}, ${bind('Int64', String(until))}) - ${toMilliseconds(sql`from_time`)}
    )`
  const lengthCondition =
    measure === 'parking_over_limit' ? sql` and ${length} >= ${bind('Int64', String(limitMs))}` : sql``
  return sql`
    select
      concat(toString(device_id), toString(from_time)) as record,
      operator,
      device_id as device,
      vehicle_type,
      ${toMilliseconds(sql`from_time`)} as from_ms,
      if(
        ${toMilliseconds(sql`to_time`)} > ${bind('Int64', String(until))},
        -1,
        ${toMilliseconds(sql`to_time`)}
      ) as until_ms,
      '' as state,
      null as distance_m,
      toNullable(toFloat64(${length})) as duration_ms,
      0 as is_excluded,
      ${localTimeColumns(question, sql`from_time`)}
    from ${latest('parking_events')}
    where
      ${regionCondition(question)}
      and ${withinCondition(question, sql`from_time`)}${lengthCondition}`
}

function eventRecordsSql(question: RecordsQuestion): Sql {
  const types = question.measure === 'rebalancing' ? ['rebalance_pick_up'] : dropOffEvents
  return sql`
    select
      toString(event_id) as record,
      operator,
      device_id as device,
      '' as vehicle_type,
      ${toMilliseconds(sql`event_time`)} as from_ms,
      toInt64(-1) as until_ms,
      arrayStringConcat(event_types, ', ') as state,
      null as distance_m,
      null as duration_ms,
      0 as is_excluded,
      ${localTimeColumns(question, sql`event_time`)}
    from ${latest('vehicle_events')}
    where
      ${regionCondition(question)}
      and superseded = 0
      and ${withinCondition(question, sql`event_time`)}
      and hasAny(event_types, ${bind('Array(String)', types)})`
}

/** Builds SQL for times in states, or parked times, split by hour. */
function timeRecordsSql(question: RecordsQuestion): Sql {
  const { measure, kind, days } = question
  const { from, until } = getSpan(question)
  const states = getStates(measure)
  const spans =
    kind === 'states'
      ? sql`
      select * from (${deployedIntervalsSql(days)})
      where ${joinSql(
        [
          sql`end_ms > begin_ms`,
          ...(states ? [sql`state in ${bind('Array(String)', states)}`] : []),
          ...(measure === 'low_battery_time' ? [sql`is_low`] : []),
        ],
        ' and ',
      )}`
      : sql`
        select
          operator,
          device_id as device,
          vehicle_type,
          '' as state,
          toInt64(greatest(${toMilliseconds(sql`from_time`)}, ${bind('Int64', String(from))})) as begin_ms,
          toInt64(least(${toMilliseconds(sql`to_time`)}, ${bind('Int64', String(until))})) as end_ms
        from (${parkingRows(days)})`
  const start = sql`
    toDateTime(
      intDiv(toInt64(hour_number) * ${bind('Int64', hourMs)} - ${bind('Int64', days.shift)}, 1000),
      'UTC'
    )`
  return sql`
    select
      concat(toString(device), toString(begin_ms)) as record,
      operator, device, vehicle_type,
      begin_ms as from_ms,
      end_ms as until_ms,
      state,
      null as distance_m,
      toNullable(toFloat64(part_ms)) as duration_ms,
      0 as is_excluded,
      ${localTimeColumns(question, start)}
    from (${splitByHourSql(spans, days)})`
}

/** The query of each kind of records, with `record` (a key), `device`, `day` and `local_hour`. */
const recordsSqlByKind: Readonly<Record<RecordKind, (question: RecordsQuestion) => Sql>> = {
  trips: tripRecordsSql,
  parking_events: parkingRecordsSql,
  events: eventRecordsSql,
  states: timeRecordsSql,
  parked_time: timeRecordsSql,
}

/** Builds SQL for the selected records. Times in states and parked times are those within the selection. */
const selectedRecordsSql = (question: RecordsQuestion): Sql => sql`
  select
    record,
    any(operator) as operator,
    any(device) as device,
    any(vehicle_type) as kind,
    any(from_ms) as from_ms,
    any(until_ms) as until_ms,
    any(state) as state,
    any(distance_m) as distance_m,
    sum(duration_ms) as duration_ms,
    max(is_excluded) as is_excluded
  from (
    select *
    from (
      select * except (vehicle_type, kind), kind as vehicle_type
      from (${withVehiclesSql(recordsSqlByKind[question.kind](question), question.days)})
    )
    ${filterClause(question, sql`local_hour`)}
  )
  group by record`

/** Builds SQL for the number of the selected records. */
export const recordCountSql = (question: RecordsQuestion): Sql =>
  sql`select toString(count()) as total from (${selectedRecordsSql(question)})`

/** Builds SQL for a page of the selected records, newest first. */
export const recordsPageSql = (
  question: RecordsQuestion,
  { skip, size }: { skip: number; size: number },
): Sql => sql`
  select
    found.operator as operator,
    if(vehicle.number = '', toString(found.device), vehicle.number) as vehicle_id,
    found.kind as kind,
    toString(found.from_ms) as from_ms,
    toString(found.until_ms) as until_ms,
    found.state as state,
    found.distance_m as distance_m,
    found.duration_ms as duration_ms,
    toUInt8(found.is_excluded) as is_excluded
  from (
    select *
    from (${selectedRecordsSql(question)})
    order by from_ms desc, record
    limit ${bind('UInt32', size)} offset ${bind('UInt32', skip)}
  ) as found
  left join (
    select operator, device_id as device, vehicle_id as number
    from ${latest('vehicles')}
    where region_id = ${bind('String', question.regionId)}
  ) as vehicle
    on vehicle.operator = found.operator and vehicle.device = found.device
  order by found.from_ms desc, found.record`
