import { silentAfterHours, silentLookBackDays } from '#contract/health-figures.ts'
import { dayMs, hourMs } from '#contract/period.ts'
import { deployedStates } from '#contract/vehicle-states.ts'
import { type Span, withinCondition } from '../span.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'

export interface SilentRow {
  operator: string
  deployed: string
  silent: string
  lost: string
}

/**
 * Builds SQL for the deployed vehicles at a time (ms), with the time of their last event or telemetry. `turn`
 * orders events of the same millisecond.
 */
export const deployedVehiclesSql = (regionId: string, at: number, operator?: string): Sql => {
  const span: Span = { regionId, operator, from: at - silentLookBackDays * dayMs, until: at }
  return sql`
    with
      last_events as (
        select
          operator,
          device_id,
          max(event_time) as last_event_time,
          argMax(state, toUnixTimestamp64Milli(event_time) * 64 + turn) as last_state
        from ${latest('vehicle_events')}
        where ${withinCondition(span, sql`event_time`)} and superseded = 0
        group by operator, device_id
      ),
      last_points as (
        select operator, device_id, max(time) as last_point_time
        from ${facts('telemetry')}
        where ${withinCondition(span, sql`time`)}
        group by operator, device_id
      )
    select operator, device_id, greatest(last_event_time, last_point_time) as time, last_state
    from last_events as event
    left join last_points as point on point.operator = event.operator and point.device_id = event.device_id
    where last_state in ${bind('Array(String)', deployedStates)}`
}

/** Builds SQL for the number of deployed vehicles by operator at a time (ms), and of silent and lost ones. */
export const silentCountsSql = (regionId: string, at: number, lostAfterHours: number): Sql => {
  const isLost = createLostRule(lostAfterHours).isLost(sql`time`, toDateTime(at))
  return sql`
    select
      operator,
      toString(count()) as deployed,
      toString(countIf(time < ${toDateTime(at - silentAfterHours * hourMs)})) as silent,
      toString(countIf(${isLost})) as lost
    from (${deployedVehiclesSql(regionId, at)})
    group by operator`
}
