import { type Span, within } from '#server/health/span.ts'
import { latest, type Sql, sql } from '#server/stores/sql.ts'

export interface LatenessRow {
  operator: string
  feed_id: string
  /** Seconds, to the minute from ten minutes on. */
  late: string
  count: string
  /** Events whose time lies after their receipt. */
  ahead: string
}

/** How many events of the span came how late. */
export const latenessCounts = (span: Span): Sql => sql`
  select operator, feed_id, toString(if(seconds < 600, seconds, intDiv(seconds, 60) * 60)) as late, toString(count()) as count, toString(countIf(is_ahead)) as ahead
  from (
    select operator, feed_id, received_time < event_time as is_ahead, greatest(0, intDiv(dateDiff('millisecond', event_time, received_time), 1000)) as seconds
    from ${latest('vehicle_events')}
    where ${within(span, sql`event_time`)} and superseded = 0
  )
  group by operator, feed_id, late`
