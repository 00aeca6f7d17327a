import { type Span, withinCondition } from '../span.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'

export interface ReceivedRow {
  operator: string
  feed_id: string
  accepted: string
  set_aside: string
  repeated: string
  skewed: string
}

/** Selects the number of records received in the span, by feed. `skewed`: with a time after their receipt. */
export const receivedCountsSql = (span: Span): Sql => {
  const received = withinCondition(span, sql`received_time`)
  return sql`
    with
      -- batches, and findings about records with a time after their receipt
      receipts as (
        select operator, feed_id, accepted, set_aside, repeated, 0 as skewed
        from ${facts('feed_batches')}
        where ${received}
        union all
        select operator, feed_id, 0 as accepted, 0 as set_aside, 0 as repeated, 1 as skewed
        from ${facts('feed_findings')}
        where ${received} and kind = 'clock_skew'
      )
    select
      operator,
      feed_id,
      toString(sum(accepted)) as accepted,
      toString(sum(set_aside)) as set_aside,
      toString(sum(repeated)) as repeated,
      toString(sum(skewed)) as skewed
    from receipts
    group by operator, feed_id`
}

export interface NewestRow {
  feed_id: string
  /** Milliseconds since 1970. */
  newest: string
  received: string
}

/**
 * Selects the times of the newest record and the last receipt of each feed since a time (ms). A record with a
 * time after its receipt counts at its receipt.
 */
export const newestReceivedSql = (regionId: string, since: number): Sql => sql`
  select
    feed_id,
    toString(toUnixTimestamp64Milli(max(least(last_time, received_time)))) as newest,
    toString(toUnixTimestamp64Milli(max(received_time))) as received
  from ${facts('feed_batches')}
  where region_id = ${bind('String', regionId)} and received_time >= ${toDateTime(since)}
  group by feed_id`
