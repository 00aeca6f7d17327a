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
import { type Filters, tripFilterSql } from '#server/mobility/trip-filter-sql.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'

/** The row of all trips of the question stands under this number. */
export const ALL_SHAPES_ID = 2 ** 32 - 1

/** One shape's sums; shape 0 is none. `day` only where asked by day, `hour` of the local day only where asked by hour. */
export interface ShapeRow {
  day?: string
  hour?: number
  shape: number
  /** Trips that start in the shape, end in it, do either; the first two with sane distances, and the metres of those. */
  orig: string
  dest: string
  either: string
  orig_measured: string
  dest_measured: string
  orig_metres: number
  dest_metres: number
}

export interface ByShape {
  filters: Filters
  indexes: readonly StoredIndex[]
  /** Number of the selected shape: then only trips count whose other end is in it. */
  selected: number | null
  byDay: boolean
  byHour?: boolean
}

/** What is told apart beside the shape, by the columns of trips. */
export interface GroupBy {
  name: Sql
  column: Sql
}

export const groupByColumn = ({ byDay, byHour = false }: Pick<ByShape, 'byDay' | 'byHour'>): GroupBy | null =>
  byDay
    ? { name: sql`day`, column: sql`local_date` }
    : byHour
      ? { name: sql`hour`, column: sql`local_hour` }
      : null

/** One end of a trip in one index: where its code stands, and the point. */
interface End {
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

const endsOf = (indexes: readonly StoredIndex[]): End[] =>
  indexes.flatMap((index, part) =>
    (['o', 'd'] as const).map((side) => ({
      side,
      index,
      code: identifier(`${side}${part}`),
      point: points[side],
    })),
  )

const named = (apart: GroupBy | null): Sql[] => (apart ? [apart.name] : [])

/** Every trip with the codes of its ends; `whole` where an end lies in an edge cell and must be looked at closely. */
function tripsWithCodes(
  filters: Filters,
  only: Sql | null,
  ends: readonly End[],
  apart: GroupBy | null,
): Sql {
  const trips = sql`select ${columns([
    ...(apart ? [sql`${apart.column} as ${apart.name}`] : []),
    sql`start_lon, start_lat, end_lon, end_lat`,
    sql`toUInt8(isFinite(distance_m) and bitAnd(quality, ${bind('UInt16', bitsOf(outlierFlags))}) = 0) as measured`,
    sql`if(measured, distance_m, 0) as metres`,
  ])} from ${latest('trips')} where ${tripFilterSql(filters)}${only ? sql` and ${only}` : sql``}`
  const onEdge = ends.length
    ? joinSql(
        ends.map(({ code }) => sql`${code} >= ${firstEdgeCode()}`),
        ' or ',
      )
    : sql`false`
  return applySteps(trips, [
    ...zipSteps(ends.map(({ index, code, point }) => codeSteps(index, point, code))),
    [sql`toUInt8(${onEdge}) as whole`],
  ])
}

/** Trips counted by pair of codes; those to be looked at closely come along whole. */
function tripsByCodePair(coded: Sql, ends: readonly End[], apart: GroupBy | null): Sql {
  const keys = ends.map(({ code }) => sql`k${code}`)
  const row = columns([
    sql`start_lon, start_lat, end_lon, end_lat, measured, metres`,
    ...ends.map(({ code }) => code),
  ])
  return sql`select ${columns([
    ...named(apart),
    ...ends.map(({ code }) => sql`if(whole, toUInt32(0), ${code}) as k${code}`),
    sql`whole, count() as pairs, sum(measured) as pairs_measured, sum(metres) as pairs_metres, groupArrayIf((${row}), whole) as points`,
  ])} from (${coded}) group by ${columns([...named(apart), ...keys, sql`whole`])}`
}

/** The shapes of both ends of each pair of codes, with the counts. */
function codePairsWithShapes(paired: Sql, ends: readonly End[], apart: GroupBy | null): Sql {
  // Places 1 to 6 of a row that came along are coordinates, measured and metres; the codes follow.
  const opened = sql`select ${columns([
    ...named(apart),
    sql`p.1 as start_lon, p.2 as start_lat, p.3 as end_lon, p.4 as end_lat`,
    sql`if(whole, 1, pairs) as n, if(whole, p.5, pairs_measured) as measured, if(whole, p.6, pairs_metres) as metres`,
    ...ends.map(
      ({ code }, at) => sql`if(whole, tupleElement(p, ${bind('UInt8', 7 + at)}), k${code}) as ${code}`,
    ),
  ])} from (${paired}) left array join points as p`
  const shapesOf = (side: 'o' | 'd'): Sql => {
    const lists = ends.flatMap(({ side: of, index, code }) =>
      of === side ? [shapesSql(index, sql`f${code}`)] : [],
    )
    return sql`arrayDistinct(arrayConcat(${columns([sql`emptyArrayUInt32()`, ...lists])}))`
  }
  return applySteps(opened, [
    ...zipSteps(ends.map(({ index, code, point }) => faceSteps(index, point, code, sql`f${code}`))),
    [sql`${shapesOf('o')} as o_shapes`, sql`${shapesOf('d')} as d_shapes`],
    [
      sql`if(empty(o_shapes), [toUInt32(0)], o_shapes) as os`,
      sql`if(empty(d_shapes), [toUInt32(0)], d_shapes) as ds`,
    ],
  ])
}

/** Trips of a question with the shapes of their ends: columns `n`, `os` and `ds` (0 where in none), and what is told apart. `only`: a further condition. */
export function tripsWithShapes({
  filters,
  indexes,
  only = null,
  ...by
}: Omit<ByShape, 'selected'> & { only?: Sql | null }): Sql {
  const ends = endsOf(indexes)
  const apart = groupByColumn(by)
  return codePairsWithShapes(
    tripsByCodePair(tripsWithCodes(filters, only, ends, apart), ends, apart),
    ends,
    apart,
  )
}

/**
 * Trips by shape. A trip counts once in a shape, in each of overlapping shapes, and under 0 where it is in none; with a
 * selected shape, origins are those of trips that end in it and destinations those of trips that start in it.
 */
export function tripsByShape({ filters, indexes, selected, ...by }: ByShape): Sql {
  const apart = groupByColumn(by)
  const placed = tripsWithShapes({ filters, indexes, ...by })
  const day = apart ? sql`${apart.name}, ` : sql``
  const all = bind('UInt32', ALL_SHAPES_ID)
  const hasSelected = (list: Sql): Sql =>
    selected === null ? sql`true` : sql`has(${list}, ${bind('UInt32', selected)})`
  return sql`select ${day}shape,
  sum(n * here_o) as orig, sum(n * here_d) as dest, sum(n * (here_o or here_d)) as either,
  sum(measured * here_o) as orig_measured, sum(measured * here_d) as dest_measured,
  sum(metres * here_o) as orig_metres, sum(metres * here_d) as dest_metres
from (
  select ${day}n, measured, metres, shape, has(arrayPushBack(os, ${all}), shape) and ${hasSelected(sql`ds`)} as here_o, has(arrayPushBack(ds, ${all}), shape) and ${hasSelected(sql`os`)} as here_d
  from (${placed}) array join arrayDistinct(arrayConcat(os, ds, [${all}])) as shape
)
group by ${day}shape order by ${day}shape`
}
