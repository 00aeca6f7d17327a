import { arrivalEvents } from '#contract/vehicle-states.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { DerivationStep } from '../fleet-derivation.ts'
import { movedMeters } from '../moved-meters.ts'
import { eventTypesColumn, spanEventsSql } from './span-events.ts'
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

const vehicleWindow = sql`partition by operator, device_id order by event_time, turn, UUIDToNum(event_id)`

const previousRows = sql`(${vehicleWindow} rows between unbounded preceding and 1 preceding)`
const nextRow = sql`(${vehicleWindow} rows between current row and 1 following)`

/**
 * Builds the condition for events at which a parking event starts: the vehicle is at rest, and was moving,
 * arrived, was lost before, or is elsewhere.
 */
const startsParkingCondition = ({ lostAfterHours }: DerivationStep): Sql => sql`
  at_rest
  and (
    previous_state is null
    or previous_state not in ${bind('Array(String)', atRestStates)}
    or hasAny(${eventTypesColumn}, ${bind('Array(String)', arrivalEvents)})
    or ${createLostRule(lostAfterHours).wasLostBetween(sql`previous_time`, sql`event_time`)}
    or ifNull(
      greatCircleDistance(previous_lon, previous_lat, lon, lat) > ${bind('Float64', movedMeters)},
      0
    )
  )`

/**
 * Builds SQL for a step's parking events (docs/metrics.md): from the first event at rest to the one that ends
 * it, or to the time at which the vehicle is lost.
 */
export const parkingEventRows = (step: DerivationStep): Sql => sql`
  with
    -- each event with the vehicle's previous known state and place, its previous event and its last one
    history as (
      select
        *,
        anyLast(if(state = ${bind('String', unreachableState)}, null, state)) over ${previousRows} as previous_state,
        lagInFrame(event_time) over (${vehicleWindow} rows between 1 preceding and current row) as previous_time,
        anyLast(if(isNaN(lon) or isNaN(lat), null, lon)) over ${previousRows} as previous_lon,
        anyLast(if(isNaN(lon) or isNaN(lat), null, lat)) over ${previousRows} as previous_lat,
        max(event_time) over (partition by operator, device_id) as vehicle_time
      from (${spanEventsSql(step)})
    ),
    marked as (
      select
        *,
        state in ${bind('Array(String)', atRestStates)} as at_rest,
        ${startsParkingCondition(step)} as starts
      from history
    ),
    -- events at which parking starts or ends; those between do not matter
    boundaries as (
      select
        operator, device_id, event_time, turn, event_id, vehicle_type, lon, lat, accuracy, starts,
        previous_time, vehicle_time
      from marked
      where starts or (not at_rest and state != ${bind('String', unreachableState)})
    ),
    -- with the next boundary and the last contact before it
    ended as (
      select
        *,
        leadInFrame(event_time, 1, toDateTime64(${bind('String', openEndTime)}, 3, 'UTC')) over ${nextRow} as next_time,
        leadInFrame(previous_time, 1, vehicle_time) over ${nextRow} as last_contact
      from boundaries
    )
  select
    ${bind('String', step.regionId)}, operator, device_id, event_time, event_id,
    least(next_time, ${createLostRule(step.lostAfterHours).lostAt(sql`last_contact`)}) as to_time,
    next_time <= to_time as ended,
    vehicle_type, lon, lat, accuracy, 0, ${bind('UInt64', step.version)}
  from ended
  where starts and to_time > event_time`
