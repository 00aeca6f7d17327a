import { arrivalEvents } from '#contract/vehicle-states.ts'
import { lostRule } from '#server/regions/lost-vehicles.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { DerivationStep } from '../fleet-derivation.ts'
import { movedMeters } from '../moved-meters.ts'
import { eventTypes, spanEvents } from './span-events.ts'
import { atRestStates, openEndTime, unreachableState } from './states.ts'

export const parkingColumns = [
  'region_id',
  'operator',
  'device_id',
  'from_time',
  'event_id',
  'to_time',
  'ended',
  'vehicle_type',
  'lon',
  'lat',
  'accuracy',
  'is_deleted',
  'version',
] as const

const window = sql`partition by operator, device_id order by event_time, turn, UUIDToNum(event_id)`

/** Each event with the vehicle's previous known state, place and event time, and its last event time. */
const withPreviousEvent = (step: DerivationStep): Sql => sql`
  select
    *,
    anyLast(
      if(state = ${bind('String', unreachableState)}, null, state)
    ) over (${window} rows between unbounded preceding and 1 preceding) as known_before,
    lagInFrame(event_time) over (${window} rows between 1 preceding and current row) as time_before,
    anyLast(if(isNaN(lon) or isNaN(lat), null, lon)) over (
      ${window}
      rows between unbounded preceding and 1 preceding
    ) as lon_before,
    anyLast(if(isNaN(lon) or isNaN(lat), null, lat)) over (
      ${window}
      rows between unbounded preceding and 1 preceding
    ) as lat_before,
    max(event_time) over (partition by operator, device_id) as vehicle_time
  from (${spanEvents(step)})`

/**
 * Whether a parking event starts: the vehicle is at rest, and was moving, arrived, was lost before, or is
 * elsewhere.
 */
const withParkingStarts = (step: DerivationStep): Sql => sql`
  select
    *,
    state in ${bind('Array(String)', atRestStates)} as at_rest,
    at_rest
    and (
      known_before is null
      or known_before not in ${bind('Array(String)', atRestStates)}
      or hasAny(${eventTypes}, ${bind('Array(String)', arrivalEvents)})
      or ${lostRule(step.lostAfterHours).wasLostBetween(sql`time_before`, sql`event_time`)}
      or ifNull(
        greatCircleDistance(lon_before, lat_before, lon, lat) > ${bind('Float64', movedMeters)},
        0
      )
    ) as starts
  from (${withPreviousEvent(step)})`

/**
 * Parking events of a step (docs/metrics.md): from the first event at rest to the event that ends it, or to
 * the time at which the vehicle is lost. Only events at which parking starts or ends are needed. The last
 * contact before an end is `time_before` of the event that ends it.
 */
export const parkingEvents = (step: DerivationStep): Sql => sql`
  select
    ${bind('String', step.regionId)}, operator, device_id, event_time, event_id,
    least(next_time, ${lostRule(step.lostAfterHours).lostAt(sql`last_time`)}) as to_time,
    next_time <= to_time as ended,
    vehicle_type, lon, lat, accuracy, 0, ${bind('UInt64', step.version)}
  from (
    select
      *,
      leadInFrame(
        event_time,
        1,
        toDateTime64(${bind('String', openEndTime)}, 3, 'UTC')
      ) over (${window} rows between current row and 1 following) as next_time,
      leadInFrame(time_before, 1, vehicle_time) over (
        ${window}
        rows between current row and 1 following
      ) as last_time
    from (
      select
        operator, device_id, event_time, turn, event_id, vehicle_type, lon, lat, accuracy, starts,
        time_before, vehicle_time
      from (${withParkingStarts(step)})
      where starts or (not at_rest and state != ${bind('String', unreachableState)})
    )
  )
  where starts and to_time > event_time`
