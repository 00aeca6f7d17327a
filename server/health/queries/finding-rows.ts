import { type Span, within } from '../span.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { rowColumns } from './row-columns.ts'

/** Findings about records received in the span. */
export const findingRows = (span: Span, kind: string): Sql => sql`
  select ${rowColumns({ feed: sql`feed_id`, time: sql`received_time`, id: sql`if(record_id = '', field, record_id)`, part: kind, details: sql`[reason, field, toString(stream)]`, raw: sql`raw` })}
  from ${facts('feed_findings')}
  where ${within(span, sql`received_time`)} and kind = ${bind('String', kind)}`

const events = (span: Span): Sql => sql`
  select operator, feed_id, device_id, event_id, event_time, dateDiff('millisecond', event_time, received_time) / 1000 as late from ${latest('vehicle_events')}
  where ${within(span, sql`event_time`)} and superseded = 0`

/** Events of the span that happened after they were received; the value is seconds. */
export const aheadRows = (span: Span): Sql => sql`
  select ${rowColumns({ feed: sql`feed_id`, time: sql`event_time`, id: sql`event_id`, device: sql`device_id`, part: 'events_ahead', value: sql`-late` })}
  from (${events(span)}) where late < 0`

/** Events of the span that were received this many seconds late or more; the value is seconds. */
export const lateRows = (span: Span, seconds: number): Sql => sql`
  select ${rowColumns({ feed: sql`feed_id`, time: sql`event_time`, id: sql`event_id`, device: sql`device_id`, part: 'late', value: sql`late` })}
  from (${events(span)}) where late >= ${bind('Float64', seconds)}`

/** Batches of the span with repeated records; the value is how many. */
export const repeatedRows = (span: Span): Sql => sql`
  select ${rowColumns({ feed: sql`feed_id`, time: sql`received_time`, id: sql`batch_id`, part: 'repeated', value: sql`repeated`, details: sql`[toString(repeated), toString(accepted), toString(stream)]` })}
  from ${facts('feed_batches')}
  where ${within(span, sql`received_time`)} and repeated > 0`
