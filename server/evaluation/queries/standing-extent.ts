import { standingStates } from '#server/mobility/cubes/cube-columns.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { extentOf } from './extent-of.ts'
import { msOf } from '#server/stores/instant.ts'

/** First and last day on which vehicles of a region came to stand, and whose. */
export const standingExtent = (regionId: string, timezone: string): Sql =>
  extentOf(
    sql`select operator, vehicle_type, ${msOf(sql`from_time`)} as first_at, first_at as last_at from ${latest('vehicle_intervals')} where region_id = ${bind('String', regionId)} and state in ${bind('Array(String)', standingStates)}`,
    timezone,
  )
