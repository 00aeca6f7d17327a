import type { Box } from '#contract/place.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Span } from './fact-rows.ts'
import { type Asked, ruleConditions } from './rule-conditions.ts'

/** The way of a trip; places in millionths of a degree and seconds since the start, each list as one text. */
export interface WayOfTrip {
  operator: string
  trip_id: string
  device_id: string
  vehicle_type: string
  begins: string
  lons: string
  lats: string
  seconds: string
}

const text = (list: Sql): Sql => sql`arrayStringConcat(arrayMap(each -> toString(each), ${list}), ' ')`
const millionths = (degrees: number): Sql => sql`${bind('Int64', String(Math.round(degrees * 1e6)))}`
/** Days before a span on which a trip that reaches into it may have begun. */
export const tripReachDays = 2

const within = (asked: Asked, { first, last }: Span): Sql =>
  sql`${ruleConditions(asked)} and local_date between toDate(${instant(first)}) - ${bind('UInt16', tripReachDays)} and toDate(${instant(last)}) + 1`

/** Ways that are under way in a span, of which some stretch's box meets a box. */
export const waysNear = (asked: Asked, span: Span, [west, south, east, north]: Box): Sql => sql`
  select operator, trip_id, device_id, vehicle_type, ${msOf(sql`start_time`)} as begins, ${text(sql`lon`)} as lons, ${text(sql`lat`)} as lats, ${text(sql`seconds`)} as seconds
  from ${latest('trip_routes')}
  where ${within(asked, span)} and start_time < ${instant(Math.min(span.last, asked.now + 1))} and start_time + toIntervalSecond(seconds[-1]) >= ${instant(span.first)}
    and arrayMin(lon) <= ${millionths(east)} + 1 and arrayMax(lon) >= ${millionths(west)} - 1 and arrayMin(lat) <= ${millionths(north)} + 1 and arrayMax(lat) >= ${millionths(south)} - 1
    and arrayExists((x, y, x2, y2) -> least(x, x2) <= ${millionths(east)} + 1 and greatest(x, x2) >= ${millionths(west)} - 1 and least(y, y2) <= ${millionths(north)} + 1 and greatest(y, y2) >= ${millionths(south)} - 1,
      lon, lat, arrayPushBack(arrayPopFront(lon), lon[-1]), arrayPushBack(arrayPopFront(lat), lat[-1]))`

/** The trips of a span with a way, to tell those without. */
export const tripsWithWay = (asked: Asked, span: Span): Sql => sql`select operator, trip_id from ${latest('trip_routes')} where ${within(asked, span)} and length(lon) > 0`
