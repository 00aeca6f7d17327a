import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { extentOf } from './extent-of.ts'
import { msOf } from '#server/stores/instant.ts'

/** First and last day on which rests begin, and whose. */
export const parkingExtent = (regionId: string, timezone: string): Sql =>
  extentOf(
    sql`select operator, vehicle_type, ${msOf(sql`from_time`)} as first_at, first_at as last_at from ${latest('parking_events')} where region_id = ${bind('String', regionId)}`,
    timezone,
  )
