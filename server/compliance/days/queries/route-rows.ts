import type { Box } from '#contract/place.ts'
import { toDateTime, toMilliseconds } from '#server/stores/date-time.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Span } from './fact-rows.ts'
import { inAreas, type StoredIndex } from '#server/geography/membership/face-sql.ts'
import { type FactFilter, ruleConditions } from '../rule-conditions.ts'

/** A route: start in millionths of a degree, steps (the first is 0), and seconds since the start. */
export interface TripRoute {
  operator: string
  trip_id: string
  device_id: string
  vehicle_type: string
  begins: string
  /** Number of the window that contains the entire trip, from 1; 0 if none does, then `times` is set. */
  w: number
  /** 1 if the route starts in one of the areas. Nothing else is needed then, so the route has no places. */
  begins_inside: number
  lon: number
  lat: number
  lon_steps: number[]
  lat_steps: number[]
  /** Empty if not requested, or if one window contains the entire trip. */
  times: number[]
}

/** Selects routes and the detail in which they are read. */
export interface RouteQuery {
  windows: WindowBounds
  /** Only routes with a segment that has a bounding box intersecting one of these. */
  boxes: readonly Box[]
  /** Indexes of the areas for `begins_inside`; empty if it is not needed. */
  indexes: readonly StoredIndex[]
  withTimes: boolean
}

/** Starts and ends of windows, ms. Empty windows are ignored. */
export interface WindowBounds {
  from: readonly number[]
  until: readonly number[]
}

const bindInt64s = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`

/** Number of days before a span on which a trip that reaches into it may have started. */
export const tripReachDays = 2

const spanCondition = (filter: FactFilter, { from, until }: Span): Sql =>
  sql`
    ${ruleConditions(filter)}
    and local_date
      between toDate(${toDateTime(from)}) - ${bind('UInt16', tripReachDays)} and toDate(${toDateTime(until)}) + 1`

/** Builds the SQL condition for routes with a segment whose bounding box intersects one of the boxes. */
function boxesCondition(boxes: readonly Box[]): Sql {
  // West, south, east and north in millionths of a degree, rounded outward.
  const sides = [0, 1, 2, 3].map((side) => {
    const round = side < 2 ? Math.floor : Math.ceil
    return bindInt64s(boxes.map((box) => round((box[side] as number) * 1e6)))
  })
  // The box of the entire route is tested first, which excludes most routes without a look at their segments.
  return sql`
    arrayExists(
      (west, south, east, north) ->
        arrayMin(lon) <= east
        and arrayMax(lon) >= west
        and arrayMin(lat) <= north
        and arrayMax(lat) >= south
        and arrayExists(
          (x, y, next_x, next_y) ->
            least(x, next_x) <= east
            and greatest(x, next_x) >= west
            and least(y, next_y) <= north
            and greatest(y, next_y) >= south,
          lon,
          lat,
          arrayPushBack(arrayPopFront(lon), lon[-1]),
          arrayPushBack(arrayPopFront(lat), lat[-1])
        ),
      ${joinSql(sides, ', ')}
    )`
}

/** Builds SQL for routes that overlap windows in time and have a segment near one of the boxes. */
export function nearbyRouteRows(
  filter: FactFilter,
  span: Span,
  { windows: { from, until }, boxes, indexes, withTimes }: RouteQuery,
): Sql {
  const windowStarts = bindInt64s(from)
  const windowEnds = bindInt64s(until)
  const routes = sql`
  select
    operator,
    trip_id,
    device_id,
    vehicle_type,
    ${toMilliseconds(sql`start_time`)} as begins,
    begins + toInt64(seconds[-1]) * 1000 as route_ends,
    lon[1] as first_lon,
    lat[1] as first_lat,
    lon as route_lon,
    lat as route_lat,
    seconds,
    -- the window that contains the entire trip
    arrayFirstIndex((opens, shuts) -> begins >= opens and route_ends < shuts, ${windowStarts}, ${windowEnds}) as w
  from ${latest('trip_routes')}
  where ${spanCondition(filter, span)}
    and length(lon) > 0
    and start_time < ${toDateTime(Math.min(span.until, filter.now + 1))}
    -- overlaps a window
    and arrayExists(
      (opens, shuts) -> shuts > opens and begins < shuts and route_ends >= opens,
      ${windowStarts},
      ${windowEnds}
    )
    and ${boxesCondition(boxes)}`
  const routesWithStart = indexes.length
    ? sql`
      select *, w > 0 and notEmpty(areas) as begins_inside
      from (
        ${inAreas(sql`select *, first_lon / 1e6 as lon, first_lat / 1e6 as lat from (${routes})`, indexes)}
      )`
    : sql`select *, 0 as begins_inside from (${routes})`
  return sql`
  select
    operator,
    ${withTimes ? sql`toString(trip_id) as trip_id, vehicle_type` : sql`'' as trip_id, '' as vehicle_type`},
    toString(device_id) as device_id,
    begins,
    w,
    begins_inside,
    first_lon as lon,
    first_lat as lat,
    if(begins_inside, [], cast(arrayDifference(route_lon), 'Array(Int32)')) as lon_steps,
    if(begins_inside, [], cast(arrayDifference(route_lat), 'Array(Int32)')) as lat_steps,
    if(${withTimes ? sql`false` : sql`w > 0`}, [], seconds) as times
  from (${routesWithStart})`
}

/** SQL of a hash of operator and trip. Comparing tuples takes three times as long. */
export const tripKeyColumn = sql`bitXor(reinterpretAsUInt128(trip_id), reinterpretAsUInt128(sipHash128(operator)))`

/** Builds SQL for the keys of a span's trips that have a route. */
export const routedTripKeyRows = (filter: FactFilter, span: Span): Sql =>
  sql`select ${tripKeyColumn} from ${latest('trip_routes')} where ${spanCondition(filter, span)} and length(lon) > 0`
