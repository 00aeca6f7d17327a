import { bind, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import { fine, type Grid } from './membership/grid.ts'
import { blockCode, edgeCode } from './membership/layer-index.ts'

/** An index in the fact store: its grid and the name its dictionaries begin with. */
export interface StoredIndex {
  name: string
  grid: Grid
}

const float64 = (value: number): Sql => sql`${bind('Float64', value)}`
const uint64 = (value: number): Sql => sql`${bind('UInt64', value)}`

/** No index has an edge cell of this number: what is asked of it is empty. */
const noEdgeCell = 2 ** 31 - 2

/** The columns of a point: SQL expressions over the row. */
export interface PointSql {
  lon: Sql
  lat: Sql
}

/** First code of an edge cell, as SQL. */
export const firstEdgeCode = (): Sql => uint64(edgeCode)

/**
 * Code of a point: its face, or (for one in fifty) an edge cell. Cheap enough for every row: two look-ups in flat arrays.
 * In steps: the columns of each stand on those before, to be selected one around the other (an expression that is spelled
 * out again and again costs more to analyse than to run). The last step's column is `as`; shapes-at.ts has the same in code.
 */
export function codeSteps({ name, grid }: StoredIndex, { lon, lat }: PointSql, as: Sql): Sql[][] {
  const codes = identifier(`${name}_codes`)
  const at = (part: string): Sql => sql`${as}_${identifier(part)}`
  const [u, v, i, j, inside, coarse] = ['u', 'v', 'i', 'j', 'inside', 'coarse'].map(at) as [
    Sql,
    Sql,
    Sql,
    Sql,
    Sql,
    Sql,
  ]
  const west = float64(grid.west)
  const south = float64(grid.south)
  const part = (of: Sql, cell: Sql): Sql =>
    sql`least(toUInt64((${of} - ${cell}) * ${uint64(fine)}), ${uint64(fine - 1)})`
  const block = sql`${uint64(grid.nx * grid.ny)} + (${coarse} - ${uint64(blockCode)}) * ${uint64(fine * fine)} + ${part(v, j)} * ${uint64(fine)} + ${part(u, i)}`
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

/** Face of a point whose code stands in a column: itself, or what the edges of its edge cell say (see toggles in edge.ts). For few rows; steps as above. */
export function faceSteps({ name }: StoredIndex, { lon, lat }: PointSql, code: Sql, as: Sql): Sql[][] {
  const edges = identifier(`${name}_edges`)
  const at = (part: string): Sql => sql`${as}_${identifier(part)}`
  const names = ['rx', 'ry', 'faces', 'ref', 'x0', 'x1', 'y0', 'slope', 'hx', 'bit']
  const level = sql`(hx <= ${lon}) != (hx <= ${at('rx')})`
  const upright = sql`x0 <= ${lon} and ${lon} < x1 and ((y0 + (${lon} - x0) * slope <= ${lat}) != (y0 + (${lon} - x0) * slope <= ${at('ry')}))`
  const columns = joinSql(['x0', 'x1', 'y0', 'slope', 'hx', 'bit'].map(at), ', ')
  return [
    [
      sql`toUInt64(if(${code} >= ${firstEdgeCode()}, ${code} - ${firstEdgeCode()}, ${uint64(noEdgeCell)})) as ${at('cell')}`,
    ],
    names.map((part) => sql`dictGet('${edges}', '${identifier(part)}', ${at('cell')}) as ${at(part)}`),
    [
      sql`arrayReduce('groupBitXor', arrayMap((x0, x1, y0, slope, hx, bit) -> if((${level}) != (${upright}), bit, toUInt32(0)), ${columns})) as ${at('crossed')}`,
    ],
    [
      sql`if(${code} >= ${firstEdgeCode()}, arrayElement(${at('faces')}, bitXor(${at('ref')}, ${at('crossed')}) + 1), ${code}) as ${as}`,
    ],
  ]
}

/** Wraps a question in steps: each adds its columns to those of the one before. */
export function applySteps(from: Sql, steps: readonly (readonly Sql[])[]): Sql {
  return steps.reduce<Sql>((inner, columns) => sql`select *, ${joinSql(columns, ', ')} from (${inner})`, from)
}

/** Several chains of steps side by side. */
export const zipSteps = (chains: readonly Sql[][][]): Sql[][] =>
  (chains[0] ?? []).map((_, step) => chains.flatMap((chain) => chain[step] ?? []))

/** Numbers of the shapes of a face. */
export const shapesSql = ({ name }: StoredIndex, face: Sql): Sql =>
  sql`dictGet('${identifier(`${name}_faces`)}', 'shapes', toUInt64(${face}))`
