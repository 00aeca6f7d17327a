import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { dirtyVehiclesSql } from '../fleet-derivation.ts'
import { atRestStates, unreachableState } from './states.ts'

/** Breaks are searched this many days before a change. After longer parking, all events are derived. */
const breakDays = 14

/**
 * Builds SQL for the time from which each dirty vehicle is derived: its last break before the change, or
 * 1970. A break is an event after which earlier events do not matter: a ride, a pick-up or a loss. The rows
 * are marks of the run `spanRunId`.
 */
export const derivationSpanRows = (regionId: string, runIds: readonly string[], spanRunId: string): Sql => {
  const changedVehiclesSql = sql`
    select operator, device_id, min(from_time) as changed
    from (${dirtyVehiclesSql(regionId, runIds)})
    group by operator, device_id`
  return sql`
    select
      ${bind('String', regionId)}, ${bind('UUID', spanRunId)}, 0, operator, device_id,
      max(break_time)
    from (
      select operator, device_id, toDateTime64(0, 3, 'UTC') as break_time
      from (${changedVehiclesSql})
      union all
      select
        event.operator as operator,
        event.device_id as device_id,
        max(event.event_time) as break_time
      from (
        select operator, device_id, event_time
        from ${latest('vehicle_events')}
        where
          region_id = ${bind('String', regionId)}
          and superseded = 0
          and state not in ${bind('Array(String)', [...atRestStates, unreachableState])}
          and (operator, device_id) in (select operator, device_id from (${changedVehiclesSql}))
          and event_time < (select max(changed) from (${changedVehiclesSql}))
          and event_time >= (
            select min(changed)
            from (${changedVehiclesSql})
          ) - interval ${bind('UInt16', breakDays)} day
      ) as event
      inner join (${changedVehiclesSql}) as change
        on change.operator = event.operator and change.device_id = event.device_id
      where event.event_time < change.changed
      group by operator, device_id
    )
    group by operator, device_id`
}
