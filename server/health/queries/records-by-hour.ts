import { type Span, tripsWithin, within } from '#server/health/span.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Events by feed, and reported trips (feed ''), of one local hour of one local day. */
export interface HourRow {
  operator: string
  feed_id: string
  day: string
  hour: number
  count: string
}

/** Records by operator, feed and local hour. Trips count at their start. */
export function recordsByHour(span: Span, timezone: string): Sql {
  const zone = bind('String', timezone)
  return sql`
    select operator, feed_id, toString(toDate(local)) as day, toHour(local) as hour, toString(count()) as count
    from (
      select operator, feed_id, toTimeZone(event_time, ${zone}) as local from ${latest('vehicle_events')}
      where ${within(span, sql`event_time`)} and superseded = 0
      union all
      select operator, '' as feed_id, toTimeZone(start_time, ${zone}) as local from ${latest('trips')}
      where ${tripsWithin(span)} and source in ('report', 'both')
    )
    group by operator, feed_id, day, hour`
}
