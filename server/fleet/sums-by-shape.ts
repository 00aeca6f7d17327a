import {
  codeSteps,
  faceSteps,
  firstEdgeCode,
  applySteps,
  shapesSql,
  zipSteps,
  type StoredIndex,
} from '#server/geography/membership/face-sql.ts'
import { bind, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import { ALL_SHAPES_ID } from './cubes/cube-columns.ts'

/** Facts with a place, to be summed by shape. */
interface SumsByShapeQuery {
  /** Rows with `lon`, `lat`, the keys and the sums. */
  facts: Sql
  /** Columns to group by in addition to the shape. */
  keys: readonly string[]
  /** Columns that are summed. */
  sums: readonly string[]
  indexes: readonly StoredIndex[]
  /** Number of the selected shape: only facts in it are counted. Null: all. */
  selected: number | null
}

const joinColumns = (list: readonly Sql[]): Sql => joinSql(list, ', ')
const point = { lon: sql`lon`, lat: sql`lat` }

/**
 * Builds SQL for sums by shape. A fact counts in each shape that contains it, under NO_SHAPE_ID if there is
 * none, and once under ALL_SHAPES_ID.
 */
export function sumsByShapeSql({ facts, keys, sums, indexes, selected }: SumsByShapeQuery): Sql {
  const codes = indexes.map((_, number) => identifier(`c${number}`))
  const faces = indexes.map((_, number) => identifier(`f${number}`))
  const keyColumns = keys.map((name) => identifier(name))
  const sumColumns = joinColumns(
    sums.map((name) => sql`sum(part.${identifier(name)}) as ${identifier(name)}`),
  )
  const onEdge = codes.length
    ? joinSql(
        codes.map((code) => sql`${code} >= ${firstEdgeCode()}`),
        ' or ',
      )
    : sql`false`
  const withCodes = codes.length
    ? applySteps(
        facts,
        zipSteps(indexes.map((index, number) => codeSteps(index, point, codes[number] as Sql))),
      )
    : facts
  // Only facts in edge cells need an exact test and keep their positions; others become a row per cell.
  const places = [...keyColumns, ...codes, sql`at_lon`, sql`at_lat`]
  const summedByCell = sql`
    select
      ${joinColumns([...keyColumns, ...codes])}${keyColumns.length + codes.length ? sql`, ` : sql``}at_lon as lon,
      at_lat as lat,
      ${sumColumns}
    from (
      select *, if(${onEdge}, place.lon, 0) as at_lon, if(${onEdge}, place.lat, 0) as at_lat
      from (${withCodes}) as place
    ) as part
    group by ${joinColumns(places)}`
  const withFaces = codes.length
    ? applySteps(
        summedByCell,
        zipSteps(
          indexes.map((index, number) => faceSteps(index, point, codes[number] as Sql, faces[number] as Sql)),
        ),
      )
    : summedByCell
  const shapes = joinColumns([
    sql`emptyArrayUInt32()`,
    ...indexes.map((index, number) => shapesSql(index, faces[number] as Sql)),
  ])
  const allShapesId = bind('UInt32', ALL_SHAPES_ID)
  return sql`
    select ${joinColumns([...keyColumns, sql`shape`])}, ${sumColumns}
    from (
      select
        *,
        arrayJoin(arrayPushBack(if(empty(shapes), [toUInt32(0)], shapes), ${allShapesId})) as shape
      from (select *, arrayDistinct(arrayConcat(${shapes})) as shapes from (${withFaces}))
      ${selected === null ? sql`` : sql`where has(shapes, ${bind('UInt32', selected)})`}
    ) as part
    group by ${joinColumns([...keyColumns, sql`shape`])}
    order by ${joinColumns([...keyColumns, sql`shape`])}`
}
