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
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { ALL_SHAPES_ID, NO_SHAPE_ID } from './cubes/cube-columns.ts'
import { type Filters, tripFilterCondition } from './trip-filter-sql.ts'

/*
 * The ends of a trip have these names:
 *
 *   direction of the older endpoints   orig      dest
 *   aggregation of maps                origins   destinations
 *   sums of rows and cubes             orig      dest
 *   columns of `trips`                 start_*   end_*
 *   code columns in the SQL below      o0, o1…   d0, d1…   (one per index of the layer)
 */

/** Sums of one shape, NO_SHAPE_ID or ALL_SHAPES_ID. `day` or `hour` is present if rows are grouped by it. */
export interface ShapeRow {
  day?: string
  hour?: number
  shape: number
  /** Trips that start in the shape, that end in it, and that do either. 64-bit integers are text. */
  orig: string
  dest: string
  either: string
  /** Trips with a plausible distance by origin and destination, and their total distances in millimeters. */
  orig_measured: string
  dest_measured: string
  orig_mm: string
  dest_mm: string
}

/** The trips of a map, and how they are grouped. */
export interface TripsByShapeQuery {
  filters: Filters
  indexes: readonly StoredIndex[]
  /** Number of the selected shape: only trips with the other end in it are counted. */
  selected: number | null
  byDay: boolean
  byHour?: boolean
}

/** A column of trips by which results are grouped in addition to the shape. */
export interface GroupBy {
  name: Sql
  column: Sql
}

/** Returns the local day or hour if results are grouped by it; empty if they are grouped by shape alone. */
export function groupByColumns({ byDay, byHour }: Pick<TripsByShapeQuery, 'byDay' | 'byHour'>): GroupBy[] {
  if (byDay) return [{ name: sql`day`, column: sql`local_date` }]
  return byHour ? [{ name: sql`hour`, column: sql`local_hour` }] : []
}

type Side = 'origin' | 'destination'

/** One end of trips in one index of the layer: its code column and its point. */
interface TripEnd {
  side: Side
  index: StoredIndex
  code: Sql
  point: PointSql
}

const joinColumns = (list: readonly Sql[]): Sql => joinSql(list, ', ')
const points: Readonly<Record<Side, PointSql>> = {
  origin: { lon: sql`start_lon`, lat: sql`start_lat` },
  destination: { lon: sql`end_lon`, lat: sql`end_lat` },
}
const codePrefixes: Readonly<Record<Side, string>> = { origin: 'o', destination: 'd' }

const listTripEnds = (indexes: readonly StoredIndex[]): TripEnd[] =>
  indexes.flatMap((index, indexNumber) =>
    (['origin', 'destination'] as const).map((side) => ({
      side,
      index,
      code: identifier(`${codePrefixes[side]}${indexNumber}`),
      point: points[side],
    })),
  )

const toGroupNames = (groups: readonly GroupBy[]): Sql[] => groups.map(({ name }) => name)

/**
 * Builds SQL for every trip with the codes of its ends. `needs_exact_test`: an end is in a cell that an edge
 * of a shape crosses.
 */
function tripsWithCodesSql(conditions: Sql, ends: readonly TripEnd[], groups: readonly GroupBy[]): Sql {
  const trips = sql`select ${joinColumns([
    ...groups.map(({ name, column }) => sql`${column} as ${name}`),
    sql`start_lon, start_lat, end_lon, end_lat`,
    sql`
      toUInt8(
        isFinite(distance_m)
        and distance_m >= 0
        and bitAnd(quality, ${bind('UInt16', toQualityBits(outlierFlags))}) = 0
      ) as is_measured`,
    // Millimeters as integers: sums of floating-point numbers would depend on the order of rows.
    sql`if(is_measured, toUInt64(floor(distance_m * 1000 + 0.5)), 0) as mm`,
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

/** Columns of a tuple in `exact_rows`, in order. The codes of the trip's ends follow. */
const exactRowColumns = ['start_lon', 'start_lat', 'end_lon', 'end_lat', 'is_measured', 'mm'] as const
const exactRowElement = (column: (typeof exactRowColumns)[number]): Sql =>
  sql`tupleElement(exact_row, ${bind('UInt8', exactRowColumns.indexOf(column) + 1)})`
const exactRowCode = (index: number): Sql =>
  sql`tupleElement(exact_row, ${bind('UInt8', exactRowColumns.length + index + 1)})`

/**
 * Builds SQL that counts trips by the codes of their ends, so that shapes are looked up once per pair of
 * cells instead of once per trip. Trips that need an exact test retain their coordinates, as tuples in
 * `exact_rows`.
 */
function tripsByCodePairSql(coded: Sql, ends: readonly TripEnd[], groups: readonly GroupBy[]): Sql {
  const keys = ends.map(({ code }) => sql`k${code}`)
  const exactRow = joinColumns([
    ...exactRowColumns.map((column) => identifier(column)),
    ...ends.map(({ code }) => code),
  ])
  return sql`
    select ${joinColumns([
      ...toGroupNames(groups),
      ...ends.map(({ code }) => sql`if(needs_exact_test, toUInt32(0), ${code}) as k${code}`),
      sql`
      needs_exact_test, count() as pairs, sum(is_measured) as pairs_measured, sum(mm) as pairs_mm, groupArrayIf(
        (${exactRow}),
        needs_exact_test
      ) as exact_rows`,
    ])}
    from (${coded})
    group by ${joinColumns([...toGroupNames(groups), ...keys, sql`needs_exact_test`])}`
}

/** Builds SQL for the shapes of both ends of each pair of codes or exact row, with `n`, `measured` and `mm`. */
function codePairsWithShapesSql(paired: Sql, ends: readonly TripEnd[], groups: readonly GroupBy[]): Sql {
  const unfolded = sql`
    select ${joinColumns([
      ...toGroupNames(groups),
      ...(['start_lon', 'start_lat', 'end_lon', 'end_lat'] as const).map(
        (column) => sql`${exactRowElement(column)} as ${identifier(column)}`,
      ),
      sql`
      if(needs_exact_test, 1, pairs) as n, if(
        needs_exact_test,
        ${exactRowElement('is_measured')},
        pairs_measured
      ) as measured, if(needs_exact_test, ${exactRowElement('mm')}, pairs_mm) as mm`,
      ...ends.map(
        ({ code }, index) => sql`if(needs_exact_test, ${exactRowCode(index)}, k${code}) as ${code}`,
      ),
    ])}
    from (${paired}) left
    array join exact_rows as exact_row`
  const matchedShapes = (side: Side): Sql => {
    const lists = ends
      .filter((end) => end.side === side)
      .map(({ index, code }) => shapesSql(index, sql`f${code}`))
    return sql`arrayDistinct(arrayConcat(${joinColumns([sql`emptyArrayUInt32()`, ...lists])}))`
  }
  const noShape = bind('UInt32', NO_SHAPE_ID)
  return applySteps(unfolded, [
    ...zipSteps(ends.map(({ index, code, point }) => faceSteps(index, point, code, sql`f${code}`))),
    [
      sql`${matchedShapes('origin')} as matched_origins`,
      sql`${matchedShapes('destination')} as matched_destinations`,
    ],
    [
      sql`if(empty(matched_origins), [${noShape}], matched_origins) as origin_shapes`,
      sql`if(empty(matched_destinations), [${noShape}], matched_destinations) as destination_shapes`,
    ],
  ])
}

/** A selection of trips and the columns to group them by. */
export interface TripsWithShapesQuery {
  /** SQL conditions on columns of `trips`. */
  conditions: Sql
  indexes: readonly StoredIndex[]
  groups: readonly GroupBy[]
}

/** Builds SQL that counts trips (`n`) by `origin_shapes`, `destination_shapes` (or [NO_SHAPE_ID]) and group. */
export function tripsWithShapesSql({ conditions, indexes, groups }: TripsWithShapesQuery): Sql {
  const ends = listTripEnds(indexes)
  return codePairsWithShapesSql(
    tripsByCodePairSql(tripsWithCodesSql(conditions, ends, groups), ends, groups),
    ends,
    groups,
  )
}

/**
 * Builds SQL for sums of trips (`tripSums`) by shape and group. A trip counts once in each shape that
 * contains one of its ends, under NO_SHAPE_ID if there is none, and once under ALL_SHAPES_ID. With a selected
 * shape, origins are those of trips that end in it, and destinations those of trips that start in it.
 */
export function tripSumsByShapeSql(query: TripsWithShapesQuery, selected: number | null): Sql {
  const names = toGroupNames(query.groups)
  const keys = joinColumns([...names, sql`shape`])
  const allShapesId = bind('UInt32', ALL_SHAPES_ID)
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
        ${joinColumns([...names, sql`n, measured, mm, shape`])},
        has(arrayPushBack(origin_shapes, ${allShapesId}), shape)
        and ${hasSelected(sql`destination_shapes`)} as counts_as_origin,
        has(arrayPushBack(destination_shapes, ${allShapesId}), shape)
        and ${hasSelected(sql`origin_shapes`)} as counts_as_destination
      from (${tripsWithShapesSql(query)})
      array join arrayDistinct(
        arrayConcat(origin_shapes, destination_shapes, [${allShapesId}])
      ) as shape
    )
    group by ${keys}`
}

/** Builds SQL for trips by shape (`ShapeRow`) with the filters of a map. */
export function tripsByShapeSql({ filters, indexes, selected, ...groupBy }: TripsByShapeQuery): Sql {
  const groups = groupByColumns(groupBy)
  return sql`${tripSumsByShapeSql({ conditions: tripFilterCondition(filters), indexes, groups }, selected)}
order by ${joinColumns([...toGroupNames(groups), sql`shape`])}`
}
