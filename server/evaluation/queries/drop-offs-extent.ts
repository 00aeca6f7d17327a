import { type Sql, sql } from '#server/stores/sql.ts'
import { dropOffEventsOf } from './drop-off-events.ts'
import { extentOf } from './extent-of.ts'

/** First and last day, operators and vehicle types of a region's drop-offs. */
export const eventsExtent = (regionId: string, timezone: string): Sql =>
  extentOf(
    sql`select operator, vehicle_type, at as first_at, at as last_at from (${dropOffEventsOf(regionId, sql`true`)})`,
    timezone,
  )
