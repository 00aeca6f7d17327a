import type { Box } from '#contract/place.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'

export const routeShapeColumns = [
  'region_id',
  'list_id',
  'local_date',
  'operator',
  'trip_id',
  'vehicle_type',
  'local_hour',
  'shapes',
  'is_deleted',
  'version',
] as const

/**
 * A route for the intersection with shapes. Coordinates are in millionths of a degree, joined to one string,
 * which is read ten times faster than an array of numbers.
 */
export interface RouteRow {
  day: string
  operator: string
  trip_id: string
  vehicle_type: string
  local_hour: number
  lons: string
  lats: string
  version: string
}

export interface RouteSelection {
  regionId: string
  /** Only routes of version `since` or later. */
  days: readonly { day: string; since: string }[]
  /** Routes are split into `parts` by trip id; `part` is from 0. */
  parts: number
  part: number
  /** Only routes with a bounding box that intersects one of these; null for all. */
  boxes: readonly Box[] | null
}

/** Converts degrees to millionths within the range of 32-bit integers. */
const toMillionths = (degrees: number, round: (value: number) => number): number =>
  Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, round(degrees * 1e6)))

const selectedVersionCondition = ({ regionId, days }: Pick<RouteSelection, 'regionId' | 'days'>): Sql => {
  const dates = bind(
    'Array(Date)',
    days.map(({ day }) => day),
  )
  return sql`
    region_id = ${bind('String', regionId)}
    and local_date in ${dates}
    and version >= arrayElement(arrayMap(since -> toUInt64(since), ${bind(
      'Array(String)',
      days.map(({ since }) => since),
    )}), indexOf(${dates}, local_date))`
}

/** Builds the condition that a route's bounding box intersects one of some boxes; null: all routes. */
function boxCondition(boxes: readonly Box[] | null): Sql {
  if (!boxes) return sql`true`
  const bindSide = (side: 0 | 1 | 2 | 3, round: (value: number) => number): ReturnType<typeof bind> =>
    bind(
      'Array(Int32)',
      boxes.map((box) => toMillionths(box[side], round)),
    )
  // Rounded outward, so that no route is missed.
  const west = bindSide(0, Math.floor)
  const south = bindSide(1, Math.floor)
  const east = bindSide(2, Math.ceil)
  const north = bindSide(3, Math.ceil)
  return sql`
    arrayExists(
      (west, south, east, north) -> arrayMin(lon) <= east
      and arrayMax(lon) >= west
      and arrayMin(lat) <= north
      and arrayMax(lat) >= south,
      ${west},
      ${south},
      ${east},
      ${north}
    )`
}

/** Builds SQL for `RouteRow`s. */
export const routesOfDaysSql = (selection: RouteSelection): Sql => sql`
  select
    local_date as day,
    operator, trip_id, vehicle_type, local_hour,
    arrayStringConcat(arrayMap(place -> toString(place), lon), ' ') as lons,
    arrayStringConcat(arrayMap(place -> toString(place), lat), ' ') as lats,
    version
  from ${latest('trip_routes')}
  where
    ${selectedVersionCondition(selection)}
    and cityHash64(trip_id) % ${bind('UInt32', selection.parts)} = ${bind('UInt32', selection.part)}
    and ${boxCondition(selection.boxes)}`

/** Builds SQL for rows that delete the results of deleted routes from a list. */
export const deletedRouteRows = (
  selection: Pick<RouteSelection, 'regionId' | 'days'>,
  listId: string,
): Sql => sql`
  select
    region_id, ${bind('UUID', listId)}, local_date, operator, trip_id, vehicle_type, local_hour,
    emptyArrayUInt32(),
    1, version
  from ${facts('trip_routes')}
  where ${selectedVersionCondition(selection)} and is_deleted = 1`

/**
 * Builds SQL for the results of list `fromListId` for some days, renumbered for list `listId`, without routes
 * that may intersect a new shape (within `boxes`).
 * @param numbers the new number of each shape, as in `ShapeListChange`
 */
export const copiedRouteRows = (
  selection: Pick<RouteSelection, 'regionId' | 'days' | 'boxes'>,
  listId: string,
  fromListId: string,
  numbers: readonly number[],
): Sql => sql`
  select
    region_id, ${bind('UUID', listId)}, local_date, operator, trip_id, vehicle_type, local_hour,
    arraySort(
      arrayFilter(
        number -> number > 0,
        arrayMap(number -> arrayElement(${bind('Array(UInt32)', numbers)}, number), shapes)
      )
    ),
    0, version
  from ${latest('way_shapes')}
  where
    list_id = ${bind('UUID', fromListId)}
    and ${selectedVersionCondition(selection)}
    and (local_date, operator, trip_id) not in (
      select local_date, operator, trip_id
      from ${latest('trip_routes')}
      where ${selectedVersionCondition(selection)} and ${boxCondition(selection.boxes)}
    )`
