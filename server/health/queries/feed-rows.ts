import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import { type Span, withinCondition } from '../span.ts'
import { rowColumns } from './row-columns.ts'

/** Selects findings about records received in the span. */
export function findingRows(span: Span, kind: string): Sql {
  const columns = rowColumns({
    feed: sql`feed_id`,
    time: sql`received_time`,
    id: sql`if(record_id = '', field, record_id)`,
    part: kind,
    details: sql`[reason, field, toString(stream)]`,
    raw: sql`raw`,
  })
  return sql`
    select ${columns}
    from ${facts('feed_findings')}
    where ${withinCondition(span, sql`received_time`)} and kind = ${bind('String', kind)}`
}

/** Selects batches of the span with repeated records. The value is the number of these. */
export function repeatedRows(span: Span): Sql {
  const columns = rowColumns({
    feed: sql`feed_id`,
    time: sql`received_time`,
    id: sql`batch_id`,
    part: 'repeated',
    value: sql`repeated`,
    details: sql`[toString(repeated), toString(accepted), toString(stream)]`,
  })
  return sql`
    select ${columns}
    from ${facts('feed_batches')}
    where ${withinCondition(span, sql`received_time`)} and repeated > 0`
}
