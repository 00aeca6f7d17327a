import { startOfDay } from '#contract/civil-clock.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import {
  beforeDayCondition,
  beforeTimeCondition,
  cutoffTimeSql,
  regionCondition,
  type OldRows,
  type RetentionCutoff,
} from '#server/regions/old-rows.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { atRestStates, unreachableState } from './events/queries/states.ts'

/**
 * Finds the UTC day that contains the start of the local day. Telemetry is removed by entire days, so that no
 * day is derived from a part.
 */
const findUtcDay = ({ beforeDay, timezone }: RetentionCutoff): string =>
  new Date(startOfDay(beforeDay, timezone)).toISOString().slice(0, 10)

/**
 * Builds SQL for the old events that later facts are derived from: for each vehicle that was not lost before
 * the cut, those since its last break (events/queries/spans.ts).
 */
const neededEventsSql = (cutoff: RetentionCutoff): Sql => sql`
  select operator, device_id, event_time
  from ${facts('vehicle_events')} as event
  inner join (
    select
      operator, device_id,
      maxIf(
        event_time,
        state not in ${bind('Array(String)', [...atRestStates, unreachableState])}
      ) as break_time,
      max(event_time) as contact
    from ${latest('vehicle_events')}
    where ${regionCondition(cutoff)} and superseded = 0 and event_time < ${cutoffTimeSql(cutoff)}
    group by operator, device_id
    having not ${createLostRule(cutoff.lostAfterHours).wasLostBetween(sql`contact`, cutoffTimeSql(cutoff))}
  ) as vehicle
    on vehicle.operator = event.operator and vehicle.device_id = event.device_id
  where ${regionCondition(cutoff)} and event_time < ${cutoffTimeSql(cutoff)} and event_time >= break_time`

const oldEventsCondition = (cutoff: RetentionCutoff): Sql =>
  sql`event_time < ${cutoffTimeSql(cutoff)} and (operator, device_id, event_time) not in (${neededEventsSql(cutoff)})`

/** Builds the condition for rows that ended before the cut, or of a vehicle that was lost before it. */
const endedOrLostCondition = (cutoff: RetentionCutoff): Sql =>
  sql`least(to_time, ${createLostRule(cutoff.lostAfterHours).lostAt(sql`from_time`)}) <= ${cutoffTimeSql(cutoff)}`

const beforeUtcTimeCondition = (cutoff: RetentionCutoff): Sql =>
  sql`time < ${toDateTime(Date.parse(findUtcDay(cutoff)))}`
const beforeUtcDayCondition = (cutoff: RetentionCutoff): Sql => sql`day < ${bind('Date', findUtcDay(cutoff))}`

/** Rows of trips, in the order of their removal: indexes before the rows that they were built from. */
export const oldTripRows: readonly OldRows[] = [
  { table: 'way_shapes', where: beforeDayCondition(sql`local_date`) },
  { table: 'trip_routes', where: beforeDayCondition(sql`local_date`) },
  { table: 'trip_reports', where: beforeTimeCondition(sql`start_time`) },
  { table: 'trips', where: beforeDayCondition(sql`local_date`) },
  { table: 'set_aside_rows', where: ({ importIds }) => sql`import_id in ${bind('Array(UUID)', importIds)}` },
]
/** Builds the condition for rows that ended before the cut. */
const endedCondition = (cutoff: RetentionCutoff): Sql => sql`to_time <= ${cutoffTimeSql(cutoff)}`
/** Rows of vehicle events and of what is derived from them. */
export const oldFleetRows: readonly OldRows[] = [
  { table: 'long_rests', where: endedCondition },
  { table: 'parking_events', where: endedCondition },
  { table: 'vehicle_intervals', where: endedOrLostCondition },
  { table: 'trip_events', where: oldEventsCondition },
  { table: 'vehicle_events', where: oldEventsCondition },
  { table: 'vehicle_snapshots', where: beforeTimeCondition(sql`snapshot_time`) },
  { table: 'feed_findings', where: beforeTimeCondition(sql`received_time`) },
]
/** Rows of telemetry and of speeds, by UTC day. */
export const oldTelemetryRows: readonly OldRows[] = [
  { table: 'ride_speeds', where: beforeUtcDayCondition },
  { table: 'ride_speed_days', where: beforeUtcDayCondition },
  { table: 'telemetry', where: beforeUtcTimeCondition },
]
