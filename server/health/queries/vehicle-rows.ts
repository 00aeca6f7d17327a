import { silentAfterHours } from '#contract/health-figures.ts'
import { hourMs } from '#contract/period.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { type Span, withinCondition } from '../span.ts'
import { movesSql } from './moves.ts'
import { rowColumns } from './row-columns.ts'
import { deployedVehiclesSql } from './silent-vehicles.ts'
import { judgedEventsSql } from './transitions.ts'
import { feedTripsSql } from './trip-counts.ts'

/** Returns a transition as one string, for comparison in SQL. */
export const toTransitionKey = (
  machine: string,
  before: string,
  types: readonly string[],
  state: string,
): string => `${machine} ${before} ${types.join('+')} ${state}`

/** Selects events of the span with one of these transitions. */
export function illegalTransitionRows(
  span: Span,
  earlierFeeds: readonly string[],
  transitions: readonly string[],
): Sql {
  const columns = rowColumns({
    feed: sql`feed`,
    time: sql`event_time`,
    id: sql`event_id`,
    device: sql`device_id`,
    part: 'illegal',
    details: sql`[toString(before), replaceAll(toString(types), '+', ', '), toString(state)]`,
  })
  return sql`
    select ${columns}
    from (${judgedEventsSql(span, earlierFeeds)})
    where concat(machine, ' ', before, ' ', types, ' ', state) in ${bind('Array(String)', transitions)}`
}

/** Selects movements too fast for a vehicle and trips too fast on average. The value is km/h. */
export function impossibleSpeedRows(span: Span, at: number): Sql {
  const moveColumns = rowColumns({
    feed: sql`feed_id`,
    time: sql`time`,
    id: sql`id`,
    device: sql`device_id`,
    part: 'moves',
    value: sql`if(seconds > 0, meters / seconds * 3.6, nan)`,
    details: sql`[toString(round(meters)), toString(round(seconds))]`,
  })
  const tripColumns = rowColumns({
    time: sql`time`,
    id: sql`trip_id`,
    device: sql`vehicle_id`,
    trip: sql`trip_id`,
    part: 'trips',
    value: sql`distance_m / duration_s * 3.6`,
    details: sql`[toString(round(distance_m)), toString(round(duration_s))]`,
  })
  return sql`
    select ${moveColumns}
    from (${movesSql(span)})
    where is_impossible
    union all
    select ${tripColumns}
    from (${feedTripsSql(span, at)})
    where is_impossible`
}

/** Selects deployed vehicles that are silent or lost at a time (ms). The value is hours without contact. */
export function silentVehicleRows(
  regionId: string,
  at: number,
  lostAfterHours: number,
  operator?: string,
): Sql {
  const isLost = createLostRule(lostAfterHours).isLost(sql`time`, toDateTime(at))
  const columns = rowColumns({
    time: sql`time`,
    id: sql`device_id`,
    device: sql`device_id`,
    part: sql`if(${isLost}, 'lost', 'silent')`,
    value: sql`dateDiff('second', time, ${toDateTime(at)}) / 3600`,
    details: sql`[toString(last_state)]`,
  })
  return sql`
    select ${columns}
    from (${deployedVehiclesSql(regionId, at, operator)})
    where time < ${toDateTime(at - silentAfterHours * hourMs)} or ${isLost}`
}

/** Selects events of the span. `late`: seconds from the event to its receipt. */
const eventsSql = (span: Span): Sql => sql`
  select
    operator,
    feed_id,
    device_id,
    event_id,
    event_time,
    dateDiff('millisecond', event_time, received_time) / 1000 as late
  from ${latest('vehicle_events')}
  where ${withinCondition(span, sql`event_time`)} and superseded = 0`

const eventColumns = (part: string, value: Sql): Sql =>
  rowColumns({
    feed: sql`feed_id`,
    time: sql`event_time`,
    id: sql`event_id`,
    device: sql`device_id`,
    part,
    value,
  })

/** Selects events of the span with a time after their receipt. The value is the difference in seconds. */
export const aheadRows = (span: Span): Sql => sql`
  select ${eventColumns('events_ahead', sql`-late`)}
  from (${eventsSql(span)})
  where late < 0`

/** Builds SQL for events of the span that were received at least so many seconds (`value`) later. */
export const lateRows = (span: Span, seconds: number): Sql => sql`
  select ${eventColumns('late', sql`late`)}
  from (${eventsSql(span)})
  where late >= ${bind('Float64', seconds)}`
