import { dropOffEvents } from '#server/mobility/cubes/cube-columns.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { msOf } from '#server/stores/instant.ts'

/** Events by which vehicles of a region were put down, with the type of each vehicle; `where` is over the columns of vehicle_events. */
export const dropOffEventsOf = (regionId: string, where: Sql): Sql => sql`
  select event.region_id as region_id, event.operator as operator, if(vehicle.vehicle_type = '', 'other', vehicle.vehicle_type) as vehicle_type, event.lon as lon, event.lat as lat, ${msOf(sql`event.event_time`)} as at
  from (
    select region_id, operator, device_id, event_time, lon, lat from ${latest('vehicle_events')}
    where region_id = ${bind('String', regionId)} and superseded = 0 and hasAny(event_types, ${bind('Array(String)', dropOffEvents)}) and (${where})
  ) as event
  left join (select operator, device_id, vehicle_type from ${latest('vehicles')} where region_id = ${bind('String', regionId)}) as vehicle on vehicle.operator = event.operator and vehicle.device_id = event.device_id`
