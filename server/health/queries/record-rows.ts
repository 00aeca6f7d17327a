import { bind, facts, latest, type Sql, sql, type SqlValue } from '#server/stores/sql.ts'
import { hourMs, type Span, within } from '../span.ts'
import { judgedEvents } from './transitions.ts'
import { moves } from './moves.ts'
import { feedTrips } from './trip-counts.ts'
import { differingTrips, endsWithoutStart } from './trip-events.ts'
import { silentAfterHours } from '#contract/health-figures.ts'
import { lostRule } from '#server/regions/lost-vehicles.ts'
import { instant } from '#server/stores/instant.ts'
import { deployedVehicles } from './silent-vehicles.ts'

/** A row behind a figure. Strings are empty if there is no value. */
export interface FoundRow {
  operator: string
  feed_id: string
  /** Ms since 1970. */
  time: string
  id: string
  device_id: string
  trip_id: string
  part: string
  value: number | null
  /** Values for the sentence that explains the row. */
  details: string[]
  raw: string
}

/** The columns of a row as SQL expressions; missing ones are empty. */
interface RowColumns {
  feed?: Sql
  time: Sql
  id: Sql
  device?: Sql
  trip?: Sql
  part: SqlValue | string
  value?: Sql
  details?: Sql
  raw?: Sql
}

/** Selects the columns that the rows of all figures have in common. */
export const rowColumns = ({
  feed,
  time,
  id,
  device,
  trip,
  part,
  value,
  details,
  raw,
}: RowColumns): Sql => sql`
  operator as row_operator, toString(${feed ?? sql`''`}) as row_feed, ${time} as row_time, toString(${id}) as row_id, toString(${device ?? sql`''`}) as row_device, toString(${trip ?? sql`''`}) as row_trip, ${typeof part === 'string' ? bind('String', part) : part} as row_part,
  toFloat64(${value ?? sql`nan`}) as row_value, ${details ?? sql`emptyArrayString()`} as row_details, toString(${raw ?? sql`''`}) as row_raw`

/** A transition as one string, for comparison in SQL. */
export const transitionKey = (
  machine: string,
  before: string,
  types: readonly string[],
  state: string,
): string => `${machine} ${before} ${types.join('+')} ${state}`

/** Events of the span with one of these transitions. */
export const illegalTransitionRows = (
  span: Span,
  earlierFeeds: readonly string[],
  transitions: readonly string[],
): Sql => sql`
  select ${rowColumns({ feed: sql`feed`, time: sql`event_time`, id: sql`event_id`, device: sql`device_id`, part: 'illegal', details: sql`[toString(before), replaceAll(toString(types), '+', ', '), toString(state)]` })}
  from (${judgedEvents(span, earlierFeeds)})
  where concat(machine, ' ', before, ' ', types, ' ', state) in ${bind('Array(String)', transitions)}`

/** Movements that are too fast for a vehicle and trips that are too fast on average. The value is km/h. */
export const impossibleSpeedRows = (span: Span, at: number): Sql => sql`
  select ${rowColumns({ feed: sql`feed_id`, time: sql`time`, id: sql`id`, device: sql`device_id`, part: 'moves', value: sql`if(seconds > 0, meters / seconds * 3.6, nan)`, details: sql`[toString(round(meters)), toString(round(seconds))]` })}
  from (${moves(span)}) where is_impossible
  union all
  select ${rowColumns({ time: sql`time`, id: sql`trip_id`, device: sql`vehicle_id`, trip: sql`trip_id`, part: 'trips', value: sql`distance_m / duration_s * 3.6`, details: sql`[toString(round(distance_m)), toString(round(duration_s))]` })}
  from (${feedTrips(span, at)}) where is_impossible`

/**
 * Trips with a missing part. Events can only be missing for operators that send some, and likewise for
 * reports.
 */
export function orphanTripRows(
  span: Span,
  at: number,
  operatorsWithEvents: readonly string[],
  operatorsWithReports: readonly string[],
): Sql {
  const trips = feedTrips(span, at)
  const columns = (part: string): Sql =>
    rowColumns({ time: sql`time`, id: sql`trip_id`, device: sql`vehicle_id`, trip: sql`trip_id`, part })
  return sql`
    select ${columns('without_events')} from (${trips}) where lacks_events and operator in ${bind('Array(String)', operatorsWithEvents)}
    union all
    select ${columns('without_report')} from (${trips}) where lacks_report and operator in ${bind('Array(String)', operatorsWithReports)}
    union all
    select ${columns('without_end')} from (${trips}) where lacks_end
    union all
    select ${rowColumns({ time: sql`time`, id: sql`trip_id`, device: sql`device`, trip: sql`trip_id`, part: 'ends_without_start' })} from (${endsWithoutStart(span)})`
}

/**
 * Deployed vehicles that are silent or lost at a time (ms). The value is the number of hours since the last
 * contact.
 */
export function silentVehicleRows(
  regionId: string,
  at: number,
  lostAfterHours: number,
  operator?: string,
): Sql {
  const isLost = lostRule(lostAfterHours).isLost(sql`time`, instant(at))
  return sql`
    select ${rowColumns({ time: sql`time`, id: sql`device_id`, device: sql`device_id`, part: sql`if(${isLost}, 'lost', 'silent')`, value: sql`dateDiff('second', time, ${instant(at)}) / 3600`, details: sql`[toString(last_state)]` })}
    from (${deployedVehicles(regionId, at, operator)})
    where time < ${instant(at - silentAfterHours * hourMs)} or ${isLost}`
}

/** Trips with different reports and events. A trip that differs in time and place is listed twice. */
export const agreementRows = (span: Span): Sql => {
  const columns = (part: string): Sql =>
    rowColumns({ time: sql`time`, id: sql`trip_id`, device: sql`vehicle_id`, trip: sql`trip_id`, part })
  return sql`
    select ${columns('time_differs')} from (${differingTrips(span)}) where time_differs
    union all
    select ${columns('place_differs')} from (${differingTrips(span)}) where place_differs`
}

/** Findings about records received in the span. */
export const findingRows = (span: Span, kind: string): Sql => sql`
  select ${rowColumns({ feed: sql`feed_id`, time: sql`received_time`, id: sql`if(record_id = '', field, record_id)`, part: kind, details: sql`[reason, field, toString(stream)]`, raw: sql`raw` })}
  from ${facts('feed_findings')}
  where ${within(span, sql`received_time`)} and kind = ${bind('String', kind)}`

const events = (span: Span): Sql => sql`
  select operator, feed_id, device_id, event_id, event_time, dateDiff('millisecond', event_time, received_time) / 1000 as late from ${latest('vehicle_events')}
  where ${within(span, sql`event_time`)} and superseded = 0`

/** Events of the span with a time after their receipt. The value is the difference in seconds. */
export const aheadRows = (span: Span): Sql => sql`
  select ${rowColumns({ feed: sql`feed_id`, time: sql`event_time`, id: sql`event_id`, device: sql`device_id`, part: 'events_ahead', value: sql`-late` })}
  from (${events(span)}) where late < 0`

/**
 * Events of the span that were received at least this many seconds after they happened. The value is seconds.
 */
export const lateRows = (span: Span, seconds: number): Sql => sql`
  select ${rowColumns({ feed: sql`feed_id`, time: sql`event_time`, id: sql`event_id`, device: sql`device_id`, part: 'late', value: sql`late` })}
  from (${events(span)}) where late >= ${bind('Float64', seconds)}`

/** Batches of the span with repeated records. The value is the number of these. */
export const repeatedRows = (span: Span): Sql => sql`
  select ${rowColumns({ feed: sql`feed_id`, time: sql`received_time`, id: sql`batch_id`, part: 'repeated', value: sql`repeated`, details: sql`[toString(repeated), toString(accepted), toString(stream)]` })}
  from ${facts('feed_batches')}
  where ${within(span, sql`received_time`)} and repeated > 0`
