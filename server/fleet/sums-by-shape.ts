import {
  codeSteps,
  faceSteps,
  firstEdgeCode,
  applySteps,
  shapesSql,
  zipSteps,
  type StoredIndex,
} from '#server/geography/membership/face-sql.ts'
import { ALL_SHAPES_ID } from './cubes/cube-columns.ts'
import { bind, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'

/** Facts at places, to be summed by shape. */
export interface PlacedFacts {
  /** Rows with `lon`, `lat`, the keys and the sums. */
  facts: Sql
  /** Columns that are returned as groups beside the shape. */
  keys: readonly string[]
  /** Columns that are summed. */
  sums: readonly string[]
  indexes: readonly StoredIndex[]
  /** Number of the selected shape: then only facts in it count. */
  selected: number | null
}

const columns = (list: readonly Sql[]): Sql => joinSql(list, ', ')
const point = { lon: sql`lon`, lat: sql`lat` }

/** Sums by shape: a fact counts in each shape that contains it, under 0 if there is none, and once under ALL_SHAPES_ID. */
export function sumsByShape({ facts, keys, sums, indexes, selected }: PlacedFacts): Sql {
  const codes = indexes.map((_, part) => identifier(`c${part}`))
  const faces = indexes.map((_, part) => identifier(`f${part}`))
  const named = keys.map((name) => identifier(name))
  const added = columns(sums.map((name) => sql`sum(part.${identifier(name)}) as ${identifier(name)}`))
  const onEdge = codes.length
    ? joinSql(
        codes.map((code) => sql`${code} >= ${firstEdgeCode()}`),
        ' or ',
      )
    : sql`false`
  const withCodes = codes.length
    ? applySteps(facts, zipSteps(indexes.map((index, part) => codeSteps(index, point, codes[part] as Sql))))
    : facts
  // Only what needs an exact test retains its position: the rest is one row per cell.
  const places = [...named, ...codes, sql`at_lon`, sql`at_lat`]
  const summed = sql`
  select ${columns([...named, ...codes])}${named.length + codes.length ? sql`, ` : sql``}at_lon as lon, at_lat as lat, ${added}
  from (select *, if(${onEdge}, place.lon, 0) as at_lon, if(${onEdge}, place.lat, 0) as at_lat from (${withCodes}) as place) as part
  group by ${columns(places)}`
  const withFaces = codes.length
    ? applySteps(
        summed,
        zipSteps(
          indexes.map((index, part) => faceSteps(index, point, codes[part] as Sql, faces[part] as Sql)),
        ),
      )
    : summed
  const shapes = columns([
    sql`emptyArrayUInt32()`,
    ...indexes.map((index, part) => shapesSql(index, faces[part] as Sql)),
  ])
  const all = bind('UInt32', ALL_SHAPES_ID)
  return sql`
  select ${columns([...named, sql`shape`])}, ${added}
  from (
    select *, arrayJoin(arrayPushBack(if(empty(shapes), [toUInt32(0)], shapes), ${all})) as shape
    from (select *, arrayDistinct(arrayConcat(${shapes})) as shapes from (${withFaces}))
    ${selected === null ? sql`` : sql`where has(shapes, ${bind('UInt32', selected)})`}
  ) as part
  group by ${columns([...named, sql`shape`])} order by ${columns([...named, sql`shape`])}`
}
