import type { Box } from '#contract/place.ts'
import type { StoredIndex } from '#server/geography/membership/face-sql.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Span } from './fact-rows.ts'
import { inAreas } from '#server/geography/membership/face-sql.ts'
import { type FactFilter, ruleConditions } from '../rule-conditions.ts'

/** The route of a trip: its start in millionths of a degree, the steps from place to place (the first is 0), and seconds since the start. */
export interface TripRoute {
  operator: string
  trip_id: string
  device_id: string
  vehicle_type: string
  begins: string
  /** The window that contains the whole trip, starting at 1; 0 if none does, then `times` is set. */
  w: number
  /** The start is in one of the areas, which is all that is needed: the route has no places. */
  begins_inside: number
  lon: number
  lat: number
  lon_steps: number[]
  lat_steps: number[]
  /** Empty if not requested, or if one window contains the whole trip. */
  times: number[]
}

/** Which routes are read, and in which detail. */
export interface RouteQuery {
  windows: Bounds
  /** Only routes with the box of a segment intersecting one of these. */
  boxes: readonly Box[]
  /** Finds whether a route starts in any of the areas; empty if not needed. */
  indexes: readonly StoredIndex[]
  withTimes: boolean
}

/** Starts and ends of windows, ms; empty windows do not count. */
export interface Bounds {
  from: readonly number[]
  until: readonly number[]
}

const list = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`
/** Days before a span on which a trip that reaches into it may have started. */
export const tripReachDays = 2

const within = (filter: FactFilter, { first, last }: Span): Sql =>
  sql`${ruleConditions(filter)} and local_date between toDate(${instant(first)}) - ${bind('UInt16', tripReachDays)} and toDate(${instant(last)}) + 1`

/** Whether the box of some segment intersects one of the boxes. */
function meets(boxes: readonly Box[]): Sql {
  const sides = [0, 1, 2, 3].map((at) =>
    list(
      boxes.map((box) =>
        at < 2 ? Math.floor((box[at] as number) * 1e6) : Math.ceil((box[at] as number) * 1e6),
      ),
    ),
  )
  return sql`arrayExists((west, south, east, north) -> arrayMin(lon) <= east and arrayMax(lon) >= west and arrayMin(lat) <= north and arrayMax(lat) >= south
    and arrayExists((x, y, x2, y2) -> least(x, x2) <= east and greatest(x, x2) >= west and least(y, y2) <= north and greatest(y, y2) >= south, lon, lat, arrayPushBack(arrayPopFront(lon), lon[-1]), arrayPushBack(arrayPopFront(lat), lat[-1])), ${joinSql(sides, ', ')})`
}

/** Routes that overlap some windows in time, with the box of a segment intersecting one of the boxes. */
export function routesNear(
  filter: FactFilter,
  span: Span,
  { windows: { from, until }, boxes, indexes, withTimes }: RouteQuery,
): Sql {
  const [froms, untils] = [list(from), list(until)]
  const near = sql`
  select operator, trip_id, device_id, vehicle_type, ${msOf(sql`start_time`)} as begins, begins + toInt64(seconds[-1]) * 1000 as way_ends, lon[1] as first_lon, lat[1] as first_lat, lon as way_lon, lat as way_lat, seconds,
    arrayFirstIndex((opens, shuts) -> begins >= opens and way_ends < shuts, ${froms}, ${untils}) as w
  from ${latest('trip_routes')}
  where ${within(filter, span)} and length(lon) > 0 and start_time < ${instant(Math.min(span.last, filter.now + 1))}
    and arrayExists((opens, shuts) -> shuts > opens and begins < shuts and way_ends >= opens, ${froms}, ${untils}) and ${meets(boxes)}`
  const known = indexes.length
    ? sql`select *, w > 0 and notEmpty(areas) as begins_inside from (${inAreas(sql`select *, first_lon / 1e6 as lon, first_lat / 1e6 as lat from (${near})`, indexes)})`
    : sql`select *, 0 as begins_inside from (${near})`
  return sql`
  select operator, ${withTimes ? sql`toString(trip_id) as trip_id, vehicle_type` : sql`'' as trip_id, '' as vehicle_type`}, toString(device_id) as device_id, begins, w, begins_inside, first_lon as lon, first_lat as lat, if(begins_inside, [], cast(arrayDifference(way_lon), 'Array(Int32)')) as lon_steps, if(begins_inside, [], cast(arrayDifference(way_lat), 'Array(Int32)')) as lat_steps, if(${withTimes ? sql`false` : sql`w > 0`}, [], seconds) as times
  from (${known})`
}

/** A trip of an operator as one value: tuples take three times as long. */
export const tripKey = sql`bitXor(reinterpretAsUInt128(trip_id), reinterpretAsUInt128(sipHash128(operator)))`

/** The keys of a span's trips with a route. */
export const tripsWithRoute = (filter: FactFilter, span: Span): Sql =>
  sql`select ${tripKey} from ${latest('trip_routes')} where ${within(filter, span)} and length(lon) > 0`
