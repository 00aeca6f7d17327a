import { placeLookBackHours, minJumpMeters } from '#contract/health-figures.ts'
import { hourMs } from '#contract/period.ts'
import { impossibleMetersPerSecond } from '#server/fleet/trip-limits.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { type Span, withinCondition } from '../span.ts'

export interface MoveRow {
  operator: string
  feed_id: string
  moves: string
  impossible: string
}

/** Builds SQL for all positions of vehicles in the span and the look-back time before it. */
const positionsSql = (span: Span): Sql => sql`
  select operator, feed_id, device_id, event_time as time, toString(event_id) as id, lon, lat
  from ${latest('vehicle_events')}
  where ${withinCondition(span, sql`event_time`, placeLookBackHours * hourMs)}
    and superseded = 0
    and isFinite(lon + lat)
  union all
  select operator, feed_id, device_id, time, toString(telemetry_id) as id, lon, lat
  from ${latest('telemetry')}
  where ${withinCondition(span, sql`time`, placeLookBackHours * hourMs)}
    and isFinite(lon + lat)`

/**
 * Builds SQL for positions of the span with their great-circle distance (meters) and time (seconds) from the
 * vehicle's previous position. `before` is the tuple of its time, longitude and latitude.
 */
export const movesSql = (span: Span): Sql => sql`
  with
    -- each position with the time and place of the vehicle's previous one
    steps as (
      select
        *,
        lagInFrame((time, lon, lat)) over (
          partition by operator, device_id
          order by time, id
          rows between 1 preceding and current row
        ) as before
      from (${positionsSql(span)})
    )
  select
    operator,
    feed_id,
    device_id,
    time,
    id,
    greatCircleDistance(before.2, before.3, lon, lat) as meters,
    dateDiff('millisecond', before.1, time) / 1000 as seconds,
    meters > ${bind('Float64', minJumpMeters)}
      and meters > ${bind('Float64', impossibleMetersPerSecond)} * seconds as is_impossible
  from steps
  where time >= ${toDateTime(span.from)}
    and before.1 >= time - interval ${bind('UInt16', placeLookBackHours)} hour`

/** Selects the number of movements, and of those that are too fast for a vehicle. */
export const moveCountsSql = (span: Span): Sql => sql`
  select operator, feed_id, toString(count()) as moves, toString(countIf(is_impossible)) as impossible
  from (${movesSql(span)})
  group by operator, feed_id`
