import type { Box } from '#contract/place.ts'
import type { StoredIndex } from '#server/geography/face-sql.ts'
import { instant, msOf } from '#server/stores/instant.ts'
import { bind, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Span } from './fact-rows.ts'
import { inAreas } from '#server/geography/face-sql.ts'
import { type Asked, ruleConditions } from '../rule-conditions.ts'

/** The way of a trip: where it begins in millionths of a degree, the steps from each place to the next (the first is 0), seconds since the start. */
export interface WayOfTrip {
  operator: string
  trip_id: string
  device_id: string
  vehicle_type: string
  begins: string
  /** The window that holds all of it, from 1 up; 0: none does, and `times` tells. */
  w: number
  /** Its begin lies in one of the areas, which is all that is to be known: it has no places. */
  begins_inside: number
  lon: number
  lat: number
  lon_steps: number[]
  lat_steps: number[]
  /** None: not asked for, or all of it lies in one window. */
  times: number[]
}

/** Which ways are asked for, and how much is to be told of them. */
export interface WaysAsked {
  windows: Bounds
  /** Only those with a stretch whose box meets one of these. */
  boxes: readonly Box[]
  /** To find out whether a way begins in any of the areas; none: not to be found out. */
  indexes: readonly StoredIndex[]
  withTimes: boolean
}

/** Begins and ends of windows, ms; empty ones are none. */
export interface Bounds {
  from: readonly number[]
  until: readonly number[]
}

const list = (values: readonly number[]): Sql => sql`${bind('Array(Int64)', values)}`
/** Days before a span on which a trip that reaches into it may have begun. */
export const tripReachDays = 2

const within = (asked: Asked, { first, last }: Span): Sql =>
  sql`${ruleConditions(asked)} and local_date between toDate(${instant(first)}) - ${bind('UInt16', tripReachDays)} and toDate(${instant(last)}) + 1`

/** Whether some stretch's box meets one of some boxes. */
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

/** Ways that are under way in one of some windows, of which some stretch's box meets a box. */
export function waysNear(
  asked: Asked,
  span: Span,
  { windows: { from, until }, boxes, indexes, withTimes }: WaysAsked,
): Sql {
  const [froms, untils] = [list(from), list(until)]
  const near = sql`
  select operator, trip_id, device_id, vehicle_type, ${msOf(sql`start_time`)} as begins, begins + toInt64(seconds[-1]) * 1000 as way_ends, lon[1] as first_lon, lat[1] as first_lat, lon as way_lon, lat as way_lat, seconds,
    arrayFirstIndex((opens, shuts) -> begins >= opens and way_ends < shuts, ${froms}, ${untils}) as w
  from ${latest('trip_routes')}
  where ${within(asked, span)} and length(lon) > 0 and start_time < ${instant(Math.min(span.last, asked.now + 1))}
    and arrayExists((opens, shuts) -> shuts > opens and begins < shuts and way_ends >= opens, ${froms}, ${untils}) and ${meets(boxes)}`
  const known = indexes.length
    ? sql`select *, w > 0 and notEmpty(areas) as begins_inside from (${inAreas(sql`select *, first_lon / 1e6 as lon, first_lat / 1e6 as lat from (${near})`, indexes)})`
    : sql`select *, 0 as begins_inside from (${near})`
  return sql`
  select operator, ${withTimes ? sql`toString(trip_id) as trip_id, vehicle_type` : sql`'' as trip_id, '' as vehicle_type`}, toString(device_id) as device_id, begins, w, begins_inside, first_lon as lon, first_lat as lat, if(begins_inside, [], cast(arrayDifference(way_lon), 'Array(Int32)')) as lon_steps, if(begins_inside, [], cast(arrayDifference(way_lat), 'Array(Int32)')) as lat_steps, if(${withTimes ? sql`false` : sql`w > 0`}, [], seconds) as times
  from (${known})`
}

/** A trip of an operator as one value: sets of pairs take three times as long. */
export const tripKey = sql`bitXor(reinterpretAsUInt128(trip_id), reinterpretAsUInt128(sipHash128(operator)))`

/** The keys of a span's trips with a way, to tell those without. */
export const tripsWithWay = (asked: Asked, span: Span): Sql =>
  sql`select ${tripKey} from ${latest('trip_routes')} where ${within(asked, span)} and length(lon) > 0`
