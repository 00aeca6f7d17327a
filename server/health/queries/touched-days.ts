import { moment } from '#server/health/span.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'

export interface TouchedRow {
  day: string
  /** Newest receipt, ms. */
  received: string
}

/** A delivery that tells of more days than this tells of its last ones only. */
const mostDays = 800

/** Local days of which anything was received since a moment (ms). */
export const touchedDays = (regionId: string, timezone: string, since: number): Sql => {
  const zone = bind('String', timezone)
  return sql`
    select toString(day) as day, toString(toUnixTimestamp64Milli(max(received_time))) as received
    from (
      select received_time, toDate(toTimeZone(last_time, ${zone})) - arrayJoin(range(0, least(${bind('UInt32', mostDays)}, toUInt32(greatest(0, dateDiff('day', first_time, last_time, ${zone}))) + 1))) as day
      from ${facts('feed_batches')}
      where region_id = ${bind('String', regionId)} and received_time >= ${moment(since)}
    )
    group by day`
}

/** How many deliveries of a region were received before a moment (ms). */
export const batchesBefore = (regionId: string, before: number): Sql => sql`
  select toString(count()) as batches from ${facts('feed_batches')} where region_id = ${bind('String', regionId)} and received_time < ${moment(before)}`
