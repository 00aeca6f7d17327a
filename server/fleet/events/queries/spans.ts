import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { dirtyVehicles } from '../fleet-derivation.ts'
import { atRestStates, unreachableState } from './states.ts'

/** Days before a change in which an interruption is searched; a vehicle that parked longer is read from its beginning. */
const breakDays = 14

/**
 * For each dirty vehicle the moment from which on it is derived again: its last event before the change after which the past does
 * not matter (it rode, was picked up, was lost), or the beginning of time.
 */
export const derivationSpans = (regionId: string, runIds: readonly string[], spans: string): Sql => {
  const changed = sql`
    select operator, device_id, min(from_time) as changed
    from (${dirtyVehicles(regionId, runIds)})
    group by operator, device_id`
  return sql`
    select ${bind('String', regionId)}, ${bind('UUID', spans)}, 0, operator, device_id, max(break_time)
    from (
      select operator, device_id, toDateTime64(0, 3, 'UTC') as break_time from (${changed})
      union all
      select event.operator as operator, event.device_id as device_id, max(event.event_time) as break_time
      from (
        select operator, device_id, event_time
        from ${latest('vehicle_events')}
        where region_id = ${bind('String', regionId)} and superseded = 0 and state not in ${bind('Array(String)', [...atRestStates, unreachableState])}
          and (operator, device_id) in (select operator, device_id from (${changed}))
          and event_time < (select max(changed) from (${changed}))
          and event_time >= (select min(changed) from (${changed})) - interval ${bind('UInt16', breakDays)} day
      ) as event
      inner join (${changed}) as change on change.operator = event.operator and change.device_id = event.device_id
      where event.event_time < change.changed
      group by operator, device_id
    )
    group by operator, device_id`
}
