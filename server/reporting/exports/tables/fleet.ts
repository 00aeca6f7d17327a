import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import {
  type FactSource,
  idColumn,
  numberColumn,
  type Selection,
  selectionCondition,
} from './export-source.ts'

/** Intervals that end after this time are still open. */
const openEnd = sql`toDateTime64('2200-01-01 00:00:00', 3, 'UTC')`
const endColumn = sql`if(to_time >= ${openEnd}, null, to_time)`

const positionColumns = sql`
    ${numberColumn(sql`lon`)} as lon,
    ${numberColumn(sql`lat`)} as lat,
    ${numberColumn(sql`accuracy`)} as accuracy_m`

export const vehicleStates: FactSource = {
  kind: 'facts',
  rows: (selection) => sql`
  select
    operator,
    vehicle_type,
    toString(device_id) as device_id,
    state,
    arrayStringConcat(event_types, ' ') as event_types,
    from_time,
    ${endColumn} as to_time,
    ${idColumn(sql`trip_id`)} as trip_id,
    ${positionColumns},
    ${numberColumn(sql`battery`)} as battery
  from ${latest('vehicle_intervals')} as facts
  where ${selectionCondition(selection, sql`facts.from_time`)}`,
}

/** Builds SQL for events with vehicle type and id of the registry, because events themselves have none. */
const registeredEventRows = ({ vehicleTypes: _types, ...selection }: Selection): Sql => sql`
    select *
    from (
      select * from ${latest('vehicle_events')} as facts
      where ${selectionCondition({ ...selection, vehicleTypes: [] }, sql`facts.event_time`)} and superseded = 0
    ) as happened
    left any join (
      select operator, device_id, vehicle_id, vehicle_type
      from ${latest('vehicles')}
      where region_id = ${bind('String', selection.regionId)}
    ) as registered using (operator, device_id)`

export const events: FactSource = {
  kind: 'facts',
  rows: (selection) => sql`
  select
    toString(event_id) as event_id,
    operator,
    if(vehicle_type = '', 'other', vehicle_type) as vehicle_type,
    toString(device_id) as device_id,
    vehicle_id,
    event_time,
    state,
    arrayStringConcat(event_types, ' ') as event_types,
    arrayStringConcat(arrayMap(trip -> toString(trip), trip_ids), ' ') as trip_ids,
    ${positionColumns},
    ${numberColumn(sql`battery`)} as battery,
    received_time
  from (${registeredEventRows(selection)}) as facts
  ${selection.vehicleTypes.length ? sql`where if(facts.vehicle_type = '', 'other', facts.vehicle_type) in ${bind('Array(String)', selection.vehicleTypes)}` : sql``}`,
}

export const parkingEvents: FactSource = {
  kind: 'facts',
  rows: (selection) => sql`
  select
    operator,
    vehicle_type,
    toString(device_id) as device_id,
    from_time,
    ${endColumn} as to_time,
    ended = 1 as is_ended,
    ${positionColumns}
  from ${latest('parking_events')} as facts
  where ${selectionCondition(selection, sql`facts.from_time`)}`,
}
