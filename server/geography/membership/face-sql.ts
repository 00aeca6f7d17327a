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

/** No index has an edge cell with this number, so lookups return empty values. */
const noEdgeCell = 2 ** 31 - 2

/** Longitude and latitude of a point as SQL expressions. */
export interface PointSql {
  lon: Sql
  lat: Sql
}

/** The first code of edge cells, as SQL. */
export const firstEdgeCode = (): Sql => uint64(edgeCode)

/**
 * Steps that compute the code of a point: its face, or (for one in fifty) an edge cell. Cheap enough for
 * every row: two lookups in flat arrays. The columns of each step use those of the previous ones, in nested
 * selects (repeating the expressions would cost more to analyze than to run). The column of the last step is
 * `as`; shapes-at.ts is the same in TypeScript.
 */
export function codeSteps({ name, grid }: StoredIndex, { lon, lat }: PointSql, as: Sql): Sql[][] {
  const codes = identifier(`${name}_codes`)
  const columnOf = (suffix: string): Sql => sql`${as}_${identifier(suffix)}`
  const [u, v, i, j, inside, coarse] = ['u', 'v', 'i', 'j', 'inside', 'coarse'].map(columnOf) as [
    Sql,
    Sql,
    Sql,
    Sql,
    Sql,
    Sql,
  ]
  const west = float64(grid.west)
  const south = float64(grid.south)
  const fineIndex = (value: Sql, cell: Sql): Sql =>
    sql`least(toUInt64((${value} - ${cell}) * ${uint64(fine)}), ${uint64(fine - 1)})`
  const block = sql`${uint64(grid.nx * grid.ny)} + (${coarse} - ${uint64(blockCode)}) * ${uint64(fine * fine)} + ${fineIndex(v, j)} * ${uint64(fine)} + ${fineIndex(u, i)}`
  return [
    [
      sql`${lon} >= ${west} and ${lon} < ${float64(grid.east)} and ${lat} >= ${south} and ${lat} < ${float64(grid.north)} as ${inside}`,
    ],
    [
      sql`if(${inside}, (${lon} - ${west}) / ${float64(grid.dx)}, 0) as ${u}`,
      sql`if(${inside}, (${lat} - ${south}) / ${float64(grid.dy)}, 0) as ${v}`,
    ],
    [
      sql`least(toUInt64(${u}), ${uint64(grid.nx - 1)}) as ${i}`,
      sql`least(toUInt64(${v}), ${uint64(grid.ny - 1)}) as ${j}`,
    ],
    [
      sql`if(${inside}, dictGet('${codes}', 'code', ${j} * ${uint64(grid.nx)} + ${i}), toUInt32(0)) as ${coarse}`,
    ],
    [
      sql`if(${coarse} >= ${uint64(blockCode)}, dictGet('${codes}', 'code', toUInt64(${block})), ${coarse}) as ${as}`,
    ],
  ]
}

/**
 * Steps that compute the face of a point from its code: the code itself, or by the edges of its edge cell
 * (see toggles in edge.ts). For few rows.
 */
export function faceSteps({ name }: StoredIndex, { lon, lat }: PointSql, code: Sql, as: Sql): Sql[][] {
  const edges = identifier(`${name}_edges`)
  const columnOf = (suffix: string): Sql => sql`${as}_${identifier(suffix)}`
  const names = ['rx', 'ry', 'faces', 'ref', 'x0', 'x1', 'y0', 'slope', 'hx', 'bit']
  const level = sql`(hx <= ${lon}) != (hx <= ${columnOf('rx')})`
  const upright = sql`x0 <= ${lon} and ${lon} < x1 and ((y0 + (${lon} - x0) * slope <= ${lat}) != (y0 + (${lon} - x0) * slope <= ${columnOf('ry')}))`
  const columns = joinSql(['x0', 'x1', 'y0', 'slope', 'hx', 'bit'].map(columnOf), ', ')
  return [
    [
      sql`toUInt64(if(${code} >= ${firstEdgeCode()}, ${code} - ${firstEdgeCode()}, ${uint64(noEdgeCell)})) as ${columnOf('cell')}`,
    ],
    names.map(
      (part) => sql`dictGet('${edges}', '${identifier(part)}', ${columnOf('cell')}) as ${columnOf(part)}`,
    ),
    [
      sql`arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if((${level}) != (${upright}), bit, toUInt32(0)), ${columns})) as ${columnOf('crossed')}`,
    ],
    [
      sql`if(${code} >= ${firstEdgeCode()}, arrayElement(${columnOf('faces')}, bitXor(${columnOf('ref')}, ${columnOf('crossed')}) + 1), ${code}) as ${as}`,
    ],
  ]
}

/** Wraps a query in steps: each adds its columns to those of the previous one. */
export function applySteps(from: Sql, steps: readonly (readonly Sql[])[]): Sql {
  return steps.reduce<Sql>((inner, columns) => sql`select *, ${joinSql(columns, ', ')} from (${inner})`, from)
}

/** Combines several chains of steps into one. */
export const zipSteps = (chains: readonly Sql[][][]): Sql[][] =>
  (chains[0] ?? []).map((_, step) => chains.flatMap((chain) => chain[step] ?? []))

/** The numbers of the shapes of a face, as SQL. */
export const shapesSql = ({ name }: StoredIndex, face: Sql): Sql =>
  sql`dictGet('${identifier(`${name}_faces`)}', 'shapes', toUInt64(${face}))`

const rowPoint = { lon: sql`lon`, lat: sql`lat` }

/** Rows with the numbers of the areas, `areas`, that their `lon` and `lat` lie in; a place that is not known lies in none. */
export function inAreas(rows: Sql, indexes: readonly StoredIndex[]): Sql {
  const codes = indexes.map((_, part) => identifier(`c${part}`))
  const faces = indexes.map((_, part) => identifier(`f${part}`))
  if (!indexes.length) return sql`select *, emptyArrayUInt32() as areas from (${rows})`
  const coded = applySteps(
    rows,
    zipSteps(indexes.map((index, part) => codeSteps(index, rowPoint, codes[part] as Sql))),
  )
  const faced = applySteps(
    coded,
    zipSteps(
      indexes.map((index, part) => faceSteps(index, rowPoint, codes[part] as Sql, faces[part] as Sql)),
    ),
  )
  return sql`select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), ${joinSql(
    indexes.map((index, part) => shapesSql(index, faces[part] as Sql)),
    ', ',
  )})) as areas from (${faced})`
}
