import { toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { type DerivationStep, dirtyVehiclesSql } from '../fleet-derivation.ts'

/** Builds SQL for the vehicles of a step, and the start of their spans. */
export const stepSpansSql = ({ regionId, spanRunId, since, before }: DerivationStep): Sql => sql`
  select operator, device_id, from_time as span_start
  from (${dirtyVehiclesSql(regionId, [spanRunId])})
  where from_time >= ${toDateTime(since)} and from_time < ${toDateTime(before)}`

/**
 * Builds SQL for events within the spans of a step, in their current versions, with the type of their
 * vehicle. Event types are joined into one text (`type_words`), because arrays are slow to sort.
 */
export const spanEventsSql = (step: DerivationStep): Sql => sql`
  select
    event.operator as operator,
    event.device_id as device_id,
    event.event_time as event_time,
    event.event_id as event_id,
    event.turn as turn,
    event.state as state,
    event.type_words as type_words,
    event.trip_id as trip_id,
    event.lon as lon,
    event.lat as lat,
    event.accuracy as accuracy,
    event.battery as battery,
    if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type
  from (
    select
      operator, device_id, event_time, event_id, turn, state,
      toLowCardinality(arrayStringConcat(event_types, ' ')) as type_words,
      if(notEmpty(trip_ids), trip_ids[1], toUUID('00000000-0000-0000-0000-000000000000')) as trip_id,
      lon, lat, accuracy, battery
    from ${latest('vehicle_events')}
    where
      region_id = ${bind('String', step.regionId)}
      and superseded = 0
      and event_time >= ${toDateTime(step.since)}
      and (operator, device_id) in (select operator, device_id from (${stepSpansSql(step)}))
  ) as event
  inner join (${stepSpansSql(step)}) as span
    on span.operator = event.operator and span.device_id = event.device_id
  left join (
    select operator, device_id, vehicle_type
    from ${latest('vehicles')}
    where region_id = ${bind('String', step.regionId)}
  ) as vehicle
    on vehicle.operator = event.operator and vehicle.device_id = event.device_id
  where event.event_time >= span.span_start`

/** The event types of a row of `spanEventsSql` as an array. */
export const eventTypesColumn = sql`splitByChar(' ', type_words)`
