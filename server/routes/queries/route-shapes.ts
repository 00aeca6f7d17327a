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

/** A route for the intersection with shapes; places in millionths of a degree, as one text, which is read ten times as fast as lists of numbers. */
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

/** Ways of some days. */
export interface RouteSelection {
  regionId: string
  /** With the version from which on they are requested. */
  days: readonly { day: string; since: string }[]
  /** The routes are read in this many parts, and this is the number of one. */
  parts: number
  part: number
  /** Only those of which the own box meets one of these; null: all. */
  boxes: readonly Box[] | null
}

const millionths = (degrees: number, round: (value: number) => number): number =>
  Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, round(degrees * 1e6)))

const ofDays = ({ regionId, days }: Pick<RouteSelection, 'regionId' | 'days'>): Sql => {
  const dates = bind(
    'Array(Date)',
    days.map(({ day }) => day),
  )
  return sql`region_id = ${bind('String', regionId)} and local_date in ${dates} and version >= arrayElement(arrayMap(since -> toUInt64(since), ${bind(
    'Array(String)',
    days.map(({ since }) => since),
  )}), indexOf(${dates}, local_date))`
}

/** Whether the box of a route meets one of some boxes. */
function intersectsBoxes(boxes: readonly Box[] | null): Sql {
  if (!boxes) return sql`true`
  const [west, south, east, north] = [0, 1, 2, 3].map((at) =>
    bind(
      'Array(Int32)',
      boxes.map((box) => millionths(box[at] as number, at < 2 ? Math.floor : Math.ceil)),
    ),
  ) as [ReturnType<typeof bind>, ReturnType<typeof bind>, ReturnType<typeof bind>, ReturnType<typeof bind>]
  return sql`arrayExists((west, south, east, north) -> arrayMin(lon) <= east and arrayMax(lon) >= west and arrayMin(lat) <= north and arrayMax(lat) >= south, ${west}, ${south}, ${east}, ${north})`
}

export const routesOfDays = (selection: RouteSelection): Sql => sql`
  select local_date as day, operator, trip_id, vehicle_type, local_hour,
    arrayStringConcat(arrayMap(place -> toString(place), lon), ' ') as lons, arrayStringConcat(arrayMap(place -> toString(place), lat), ' ') as lats, version
  from ${latest('trip_routes')}
  where ${ofDays(selection)} and cityHash64(trip_id) % ${bind('UInt32', selection.parts)} = ${bind('UInt32', selection.part)} and ${intersectsBoxes(selection.boxes)}`

/** Deleted routes, as rows that delete them from a list. */
export const deletedRoutes = (
  selection: Pick<RouteSelection, 'regionId' | 'days'>,
  listId: string,
): Sql => sql`
  select region_id, ${bind('UUID', listId)}, local_date, operator, trip_id, vehicle_type, local_hour, emptyArrayUInt32(), 1, version
  from ${facts('trip_routes')}
  where ${ofDays(selection)} and is_deleted = 1`

/** Results of a list for some days, copied for another list that has nearly all of its shapes, without routes that may intersect a new shape. `numbers`: as in ShapeListChange. */
export const copiedRoutes = (
  selection: Pick<RouteSelection, 'regionId' | 'days' | 'boxes'>,
  listId: string,
  from: string,
  numbers: readonly number[],
): Sql => sql`
  select region_id, ${bind('UUID', listId)}, local_date, operator, trip_id, vehicle_type, local_hour,
    arraySort(arrayFilter(number -> number > 0, arrayMap(number -> arrayElement(${bind('Array(UInt32)', numbers)}, number), shapes))), 0, version
  from ${latest('way_shapes')}
  where list_id = ${bind('UUID', from)} and ${ofDays(selection)}
    and (local_date, operator, trip_id) not in (select local_date, operator, trip_id from ${latest('trip_routes')} where ${ofDays(selection)} and ${intersectsBoxes(selection.boxes)})`
