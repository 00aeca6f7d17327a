import { toQualityBits, outlierFlags } from '#contract/mobility.ts'
import {
  codeSteps,
  faceSteps,
  firstEdgeCode,
  applySteps,
  type PointSql,
  shapesSql,
  zipSteps,
  type StoredIndex,
} from '#server/geography/membership/face-sql.ts'
import { ALL_SHAPES_ID, NO_SHAPE_ID } from './cubes/cube-columns.ts'
import { type Filters, tripFilterSql } from './trip-filter-sql.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Sums of one shape, or of no or all shapes. `day` and `hour` (of the local day) are present when grouped by them. */
export interface ShapeRow {
  day?: string
  hour?: number
  shape: number
  /** Trips that start in the shape, end in it, do either. 64-bit integers are text. */
  orig: string
  dest: string
  either: string
  /** Trips with a plausible distance, by origin and by destination, and the distances of those in millimeters. */
  orig_measured: string
  dest_measured: string
  orig_mm: string
  dest_mm: string
}

export interface TripsByShapeQuery {
  filters: Filters
  indexes: readonly StoredIndex[]
  /** Number of the selected shape: only trips with their other end in it are counted. */
  selected: number | null
  byDay: boolean
  byHour?: boolean
}

/** A column of trips by which results are grouped, beside the shape. */
export interface GroupBy {
  name: Sql
  column: Sql
}

/** The column to group by, if results are not grouped by shape alone. */
export const groupByColumns = ({
  byDay,
  byHour = false,
}: Pick<TripsByShapeQuery, 'byDay' | 'byHour'>): GroupBy[] =>
  byDay
    ? [{ name: sql`day`, column: sql`local_date` }]
    : byHour
      ? [{ name: sql`hour`, column: sql`local_hour` }]
      : []

/** One end of a trip in one index: its code column and its point. */
interface TripEnd {
  side: 'o' | 'd'
  index: StoredIndex
  code: Sql
  point: PointSql
}

const columns = (list: readonly Sql[]): Sql => joinSql(list, ', ')
const points = {
  o: { lon: sql`start_lon`, lat: sql`start_lat` },
  d: { lon: sql`end_lon`, lat: sql`end_lat` },
}

const tripEnds = (indexes: readonly StoredIndex[]): TripEnd[] =>
  indexes.flatMap((index, part) =>
    (['o', 'd'] as const).map((side) => ({
      side,
      index,
      code: identifier(`${side}${part}`),
      point: points[side],
    })),
  )

const groupNames = (groups: readonly GroupBy[]): Sql[] => groups.map(({ name }) => name)

/** Every trip with the codes of its ends; `needs_exact_test` if an end lies in an edge cell. */
function tripsWithCodes(conditions: Sql, ends: readonly TripEnd[], groups: readonly GroupBy[]): Sql {
  const trips = sql`select ${columns([
    ...groups.map(({ name, column }) => sql`${column} as ${name}`),
    sql`start_lon, start_lat, end_lon, end_lat`,
    sql`toUInt8(isFinite(distance_m) and distance_m >= 0 and bitAnd(quality, ${bind('UInt16', toQualityBits(outlierFlags))}) = 0) as measured`,
    // Integers add up to the same in any order.
    sql`if(measured, toUInt64(floor(distance_m * 1000 + 0.5)), 0) as mm`,
  ])} from ${latest('trips')} where ${conditions}`
  const onEdge = ends.length
    ? joinSql(
        ends.map(({ code }) => sql`${code} >= ${firstEdgeCode()}`),
        ' or ',
      )
    : sql`false`
  return applySteps(trips, [
    ...zipSteps(ends.map(({ index, code, point }) => codeSteps(index, point, code))),
    [sql`toUInt8(${onEdge}) as needs_exact_test`],
  ])
}

/** Trips counted by pair of codes. Trips that need an exact test are carried along as rows of `exact_rows`. */
function tripsByCodePair(coded: Sql, ends: readonly TripEnd[], groups: readonly GroupBy[]): Sql {
  const keys = ends.map(({ code }) => sql`k${code}`)
  const row = columns([
    sql`start_lon, start_lat, end_lon, end_lat, measured, mm`,
    ...ends.map(({ code }) => code),
  ])
  return sql`select ${columns([
    ...groupNames(groups),
    ...ends.map(({ code }) => sql`if(needs_exact_test, toUInt32(0), ${code}) as k${code}`),
    sql`needs_exact_test, count() as pairs, sum(measured) as pairs_measured, sum(mm) as pairs_mm, groupArrayIf((${row}), needs_exact_test) as exact_rows`,
  ])} from (${coded}) group by ${columns([...groupNames(groups), ...keys, sql`needs_exact_test`])}`
}

/** The shapes of both ends of each pair of codes, with the counts. */
function codePairsWithShapes(paired: Sql, ends: readonly TripEnd[], groups: readonly GroupBy[]): Sql {
  // Elements 1 to 6 of an exact row are coordinates, measured and mm; the codes follow.
  const unfolded = sql`select ${columns([
    ...groupNames(groups),
    sql`p.1 as start_lon, p.2 as start_lat, p.3 as end_lon, p.4 as end_lat`,
    sql`if(needs_exact_test, 1, pairs) as n, if(needs_exact_test, p.5, pairs_measured) as measured, if(needs_exact_test, p.6, pairs_mm) as mm`,
    ...ends.map(
      ({ code }, at) =>
        sql`if(needs_exact_test, tupleElement(p, ${bind('UInt8', 7 + at)}), k${code}) as ${code}`,
    ),
  ])} from (${paired}) left array join exact_rows as p`
  const shapesOf = (side: 'o' | 'd'): Sql => {
    const lists = ends.flatMap(({ side: of, index, code }) =>
      of === side ? [shapesSql(index, sql`f${code}`)] : [],
    )
    return sql`arrayDistinct(arrayConcat(${columns([sql`emptyArrayUInt32()`, ...lists])}))`
  }
  const noShape = bind('UInt32', NO_SHAPE_ID)
  return applySteps(unfolded, [
    ...zipSteps(ends.map(({ index, code, point }) => faceSteps(index, point, code, sql`f${code}`))),
    [sql`${shapesOf('o')} as matched_origins`, sql`${shapesOf('d')} as matched_destinations`],
    [
      sql`if(empty(matched_origins), [${noShape}], matched_origins) as origin_shapes`,
      sql`if(empty(matched_destinations), [${noShape}], matched_destinations) as destination_shapes`,
    ],
  ])
}

/** Trips that meet conditions, by the columns to group by. */
export interface TripsWithShapesQuery {
  /** Over the columns of `trips`. */
  conditions: Sql
  indexes: readonly StoredIndex[]
  groups: readonly GroupBy[]
}

/** Trips with the shapes of their ends: the columns to group by, `n`, `origin_shapes` and `destination_shapes` (NO_SHAPE_ID if in none). */
export function tripsWithShapes({ conditions, indexes, groups }: TripsWithShapesQuery): Sql {
  const ends = tripEnds(indexes)
  return codePairsWithShapes(
    tripsByCodePair(tripsWithCodes(conditions, ends, groups), ends, groups),
    ends,
    groups,
  )
}

/**
 * Sums of trips by shape (tripSums) and the columns to group by. A trip counts once in each shape that contains it, under NO_SHAPE_ID if there is
 * none, and once under ALL_SHAPES_ID. With a selected shape, origins are those of trips that end in it, and
 * destinations those of trips that start in it.
 */
export function sumTripsByShape(query: TripsWithShapesQuery, selected: number | null): Sql {
  const names = groupNames(query.groups)
  const keys = columns([...names, sql`shape`])
  const all = bind('UInt32', ALL_SHAPES_ID)
  const hasSelected = (shapes: Sql): Sql =>
    selected === null ? sql`true` : sql`has(${shapes}, ${bind('UInt32', selected)})`
  return sql`
select
  ${keys},
  sum(n * counts_as_origin) as orig,
  sum(n * counts_as_destination) as dest,
  sum(n * (counts_as_origin or counts_as_destination)) as either,
  sum(measured * counts_as_origin) as orig_measured,
  sum(measured * counts_as_destination) as dest_measured,
  sum(mm * counts_as_origin) as orig_mm,
  sum(mm * counts_as_destination) as dest_mm
from (
  select
    ${columns([...names, sql`n, measured, mm, shape`])},
    has(arrayPushBack(origin_shapes, ${all}), shape) and ${hasSelected(sql`destination_shapes`)} as counts_as_origin,
    has(arrayPushBack(destination_shapes, ${all}), shape) and ${hasSelected(sql`origin_shapes`)} as counts_as_destination
  from (${tripsWithShapes(query)})
  array join arrayDistinct(arrayConcat(origin_shapes, destination_shapes, [${all}])) as shape
)
group by ${keys}`
}

/** Trips by shape (ShapeRow), for the filters of a map. */
export function tripsByShape({ filters, indexes, selected, ...by }: TripsByShapeQuery): Sql {
  const groups = groupByColumns(by)
  return sql`${sumTripsByShape({ conditions: tripFilterSql(filters), indexes, groups }, selected)}
order by ${columns([...groupNames(groups), sql`shape`])}`
}
