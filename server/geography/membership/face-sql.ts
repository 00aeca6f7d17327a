import { bind, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import { fine, type Grid } from './grid.ts'
import { blockCode, edgeCode } from './layer-index.ts'

/** An index in the fact store: its grid, and the prefix of its dictionaries. */
export interface StoredIndex {
  name: string
  grid: Grid
}

const float64 = (value: number): Sql => sql`${bind('Float64', value)}`
const uint64 = (value: number): Sql => sql`${bind('UInt64', value)}`

/** Longitude and latitude of a point as SQL expressions. */
export interface PointSql {
  lon: Sql
  lat: Sql
}

/** Returns the first code of edge cells, as SQL. */
export const firstEdgeCode = (): Sql => uint64(edgeCode)

/**
 * Builds steps that compute the code of a point: its face, or an edge cell (for one point in fifty). They
 * cost two lookups in flat arrays, which is cheap enough for every row. The columns of a step use those of
 * the previous steps, as nested selects. Few steps, because the engine analyzes all nested selects once for
 * each level, which takes longer than to run them. The last step adds the column `as`. Columns: u, v: the
 * position in units of cells; coarse: the code of its cell. shapes-at.ts computes the same in TypeScript.
 */
export function codeSteps({ name, grid }: StoredIndex, { lon, lat }: PointSql, as: Sql): Sql[][] {
  const codes = identifier(`${name}_codes`)
  const column = (suffix: string): Sql => sql`${as}_${identifier(suffix)}`
  const [u, v, inside, coarse] = [column('u'), column('v'), column('inside'), column('coarse')]
  const [west, south] = [float64(grid.west), float64(grid.south)]
  const isInLon = sql`${lon} >= ${west} and ${lon} < ${float64(grid.east)}`
  const isInLat = sql`${lat} >= ${south} and ${lat} < ${float64(grid.north)}`
  const i = sql`least(toUInt64(${u}), ${uint64(grid.nx - 1)})`
  const j = sql`least(toUInt64(${v}), ${uint64(grid.ny - 1)})`
  const fineIndex = (value: Sql, cell: Sql): Sql =>
    sql`least(toUInt64((${value} - ${cell}) * ${uint64(fine)}), ${uint64(fine - 1)})`
  // The codes of the fine cells of a block come after those of all cells, row by row.
  const fineCell = sql`${uint64(grid.nx * grid.ny)} + (${coarse} - ${uint64(blockCode)}) * ${uint64(fine * fine)} + ${fineIndex(v, j)} * ${uint64(fine)} + ${fineIndex(u, i)}`
  return [
    [
      sql`${isInLon} and ${isInLat} as ${inside}`,
      sql`if(${isInLon}, (${lon} - ${west}) / ${float64(grid.dx)}, 0) as ${u}`,
      sql`if(${isInLat}, (${lat} - ${south}) / ${float64(grid.dy)}, 0) as ${v}`,
    ],
    [
      sql`if(${inside}, dictGet('${codes}', 'code', ${j} * ${uint64(grid.nx)} + ${i}), toUInt32(0)) as ${coarse}`,
    ],
    [
      sql`if(${coarse} >= ${uint64(blockCode)}, dictGet('${codes}', 'code', toUInt64(${fineCell})), ${coarse}) as ${as}`,
    ],
  ]
}

/**
 * Builds steps that compute the face of a point from its code: the code itself, or a test against the edges
 * of its edge cell (`toggles` in edge.ts). Expensive, so only for few rows.
 */
export function faceSteps({ name }: StoredIndex, { lon, lat }: PointSql, code: Sql, as: Sql): Sql[][] {
  const edges = identifier(`${name}_edges`)
  const column = (suffix: string): Sql => sql`${as}_${identifier(suffix)}`
  // The number of the edge cell. A face has none, so that its lookups return empty values.
  const edgeCell = sql`bitXor(${code}, ${firstEdgeCode()})`
  const attributes = ['rx', 'ry', 'faces', 'ref', 'x0', 'x1', 'y0', 'slope', 'hx', 'bit']
  const crossesHorizontalPart = sql`(hx <= ${lon}) != (hx <= ${column('rx')})`
  const crossesVerticalPart = sql`x0 <= ${lon} and ${lon} < x1 and ((y0 + (${lon} - x0) * slope <= ${lat}) != (y0 + (${lon} - x0) * slope <= ${column('ry')}))`
  const columns = joinSql(['x0', 'x1', 'y0', 'slope', 'hx', 'bit'].map(column), ', ')
  const crossed = sql`arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if((${crossesHorizontalPart}) != (${crossesVerticalPart}), bit, toUInt32(0)), ${columns}))`
  return [
    attributes.map((name) => sql`dictGet('${edges}', '${identifier(name)}', ${edgeCell}) as ${column(name)}`),
    [
      sql`if(${code} >= ${firstEdgeCode()}, arrayElement(${column('faces')}, bitXor(${column('ref')}, ${crossed}) + 1), ${code}) as ${as}`,
    ],
  ]
}

/** Wraps a query in nested selects: each step adds its columns to those of the previous one. */
export function applySteps(from: Sql, steps: readonly (readonly Sql[])[]): Sql {
  return steps.reduce<Sql>((inner, columns) => sql`select *, ${joinSql(columns, ', ')} from (${inner})`, from)
}

/** Combines chains of steps of the same length, so that all are computed in the same nested selects. */
export const zipSteps = (chains: readonly Sql[][][]): Sql[][] =>
  (chains[0] ?? []).map((_, step) => chains.flatMap((chain) => chain[step] ?? []))

/** Returns the numbers of the shapes of a face, as SQL. */
export const shapesSql = ({ name }: StoredIndex, face: Sql): Sql =>
  sql`dictGet('${identifier(`${name}_faces`)}', 'shapes', toUInt64(${face}))`

const rowPoint = { lon: sql`lon`, lat: sql`lat` }

/** Adds `areas`, the numbers of the areas that contain the point of a row; none if the place is unknown. */
export function inAreas(rows: Sql, indexes: readonly StoredIndex[]): Sql {
  const codes = indexes.map((_, number) => identifier(`c${number}`))
  const faces = indexes.map((_, number) => identifier(`f${number}`))
  if (!indexes.length) return sql`select *, emptyArrayUInt32() as areas from (${rows})`
  const coded = applySteps(
    rows,
    zipSteps(indexes.map((index, number) => codeSteps(index, rowPoint, codes[number] as Sql))),
  )
  const faced = applySteps(
    coded,
    zipSteps(
      indexes.map((index, number) => faceSteps(index, rowPoint, codes[number] as Sql, faces[number] as Sql)),
    ),
  )
  return sql`select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), ${joinSql(
    indexes.map((index, number) => shapesSql(index, faces[number] as Sql)),
    ', ',
  )})) as areas from (${faced})`
}
