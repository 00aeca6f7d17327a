import { bitsOf, outlierFlags } from '#contract/mobility.ts'
import {
  codeSteps,
  faceSteps,
  firstEdgeCode,
  applySteps,
  type PointSql,
  shapesSql,
  zipSteps,
  type StoredIndex,
} from '#server/geography/face-sql.ts'
import { ALL_SHAPES_ID, NO_SHAPE_ID } from '#server/mobility/cubes/cube-columns.ts'
import { type Filters, tripFilterSql } from '#server/mobility/trip-filter-sql.ts'
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
  /** Trips with a plausible distance, by origin and by destination, and the meters of those. */
  orig_measured: string
  dest_measured: string
  orig_meters: number
  dest_meters: number
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

/** The column to group by; null if results are grouped by shape alone. */
export const groupByColumn = ({
  byDay,
  byHour = false,
}: Pick<TripsByShapeQuery, 'byDay' | 'byHour'>): GroupBy | null =>
  byDay
    ? { name: sql`day`, column: sql`local_date` }
    : byHour
      ? { name: sql`hour`, column: sql`local_hour` }
      : null

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

const groupNames = (groupBy: GroupBy | null): Sql[] => (groupBy ? [groupBy.name] : [])

/** Every trip with the codes of its ends; `needs_exact_test` if an end lies in an edge cell. */
function tripsWithCodes(
  filters: Filters,
  only: Sql | null,
  ends: readonly TripEnd[],
  groupBy: GroupBy | null,
): Sql {
  const trips = sql`select ${columns([
    ...(groupBy ? [sql`${groupBy.column} as ${groupBy.name}`] : []),
    sql`start_lon, start_lat, end_lon, end_lat`,
    sql`toUInt8(isFinite(distance_m) and bitAnd(quality, ${bind('UInt16', bitsOf(outlierFlags))}) = 0) as measured`,
    sql`if(measured, distance_m, 0) as meters`,
  ])} from ${latest('trips')} where ${tripFilterSql(filters)}${only ? sql` and ${only}` : sql``}`
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
function tripsByCodePair(coded: Sql, ends: readonly TripEnd[], groupBy: GroupBy | null): Sql {
  const keys = ends.map(({ code }) => sql`k${code}`)
  const row = columns([
    sql`start_lon, start_lat, end_lon, end_lat, measured, meters`,
    ...ends.map(({ code }) => code),
  ])
  return sql`select ${columns([
    ...groupNames(groupBy),
    ...ends.map(({ code }) => sql`if(needs_exact_test, toUInt32(0), ${code}) as k${code}`),
    sql`needs_exact_test, count() as pairs, sum(measured) as pairs_measured, sum(meters) as pairs_meters, groupArrayIf((${row}), needs_exact_test) as exact_rows`,
  ])} from (${coded}) group by ${columns([...groupNames(groupBy), ...keys, sql`needs_exact_test`])}`
}

/** The shapes of both ends of each pair of codes, with the counts. */
function codePairsWithShapes(paired: Sql, ends: readonly TripEnd[], groupBy: GroupBy | null): Sql {
  // Elements 1 to 6 of an exact row are coordinates, measured and meters; the codes follow.
  const unfolded = sql`select ${columns([
    ...groupNames(groupBy),
    sql`p.1 as start_lon, p.2 as start_lat, p.3 as end_lon, p.4 as end_lat`,
    sql`if(needs_exact_test, 1, pairs) as n, if(needs_exact_test, p.5, pairs_measured) as measured, if(needs_exact_test, p.6, pairs_meters) as meters`,
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

/**
 * Trips with the shapes of their ends: columns `n`, `origin_shapes` and `destination_shapes` (NO_SHAPE_ID if in
 * none), and the column to group by. `only` is a further condition.
 */
export function tripsWithShapes({
  filters,
  indexes,
  only = null,
  ...by
}: Omit<TripsByShapeQuery, 'selected'> & { only?: Sql | null }): Sql {
  const ends = tripEnds(indexes)
  const groupBy = groupByColumn(by)
  return codePairsWithShapes(
    tripsByCodePair(tripsWithCodes(filters, only, ends, groupBy), ends, groupBy),
    ends,
    groupBy,
  )
}

/**
 * Trips by shape (ShapeRow). A trip counts once in each shape that contains it, under NO_SHAPE_ID if there is
 * none, and once under ALL_SHAPES_ID. With a selected shape, origins are those of trips that end in it, and
 * destinations those of trips that start in it.
 */
export function tripsByShape({ filters, indexes, selected, ...by }: TripsByShapeQuery): Sql {
  const groupBy = groupByColumn(by)
  const trips = tripsWithShapes({ filters, indexes, ...by })
  const group = groupBy ? sql`${groupBy.name}, ` : sql``
  const all = bind('UInt32', ALL_SHAPES_ID)
  const hasSelected = (shapes: Sql): Sql =>
    selected === null ? sql`true` : sql`has(${shapes}, ${bind('UInt32', selected)})`
  return sql`
select
  ${group}shape,
  sum(n * counts_as_origin) as orig,
  sum(n * counts_as_destination) as dest,
  sum(n * (counts_as_origin or counts_as_destination)) as either,
  sum(measured * counts_as_origin) as orig_measured,
  sum(measured * counts_as_destination) as dest_measured,
  sum(meters * counts_as_origin) as orig_meters,
  sum(meters * counts_as_destination) as dest_meters
from (
  select
    ${group}n, measured, meters, shape,
    has(arrayPushBack(origin_shapes, ${all}), shape) and ${hasSelected(sql`destination_shapes`)} as counts_as_origin,
    has(arrayPushBack(destination_shapes, ${all}), shape) and ${hasSelected(sql`origin_shapes`)} as counts_as_destination
  from (${trips})
  array join arrayDistinct(arrayConcat(origin_shapes, destination_shapes, [${all}])) as shape
)
group by ${group}shape
order by ${group}shape`
}
