import {
  codeSteps,
  faceSteps,
  applySteps,
  shapesSql,
  zipSteps,
  type StoredIndex,
} from '#server/geography/face-sql.ts'
import { identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'

const point = { lon: sql`lon`, lat: sql`lat` }

/** Rows with the numbers of the areas, `areas`, that their `lon` and `lat` lie in; a place that is not known lies in none. */
export function inAreas(rows: Sql, indexes: readonly StoredIndex[]): Sql {
  const codes = indexes.map((_, part) => identifier(`c${part}`))
  const faces = indexes.map((_, part) => identifier(`f${part}`))
  if (!indexes.length) return sql`select *, emptyArrayUInt32() as areas from (${rows})`
  const coded = applySteps(
    rows,
    zipSteps(indexes.map((index, part) => codeSteps(index, point, codes[part] as Sql))),
  )
  const faced = applySteps(
    coded,
    zipSteps(indexes.map((index, part) => faceSteps(index, point, codes[part] as Sql, faces[part] as Sql))),
  )
  return sql`select *, arrayDistinct(arrayConcat(emptyArrayUInt32(), ${joinSql(
    indexes.map((index, part) => shapesSql(index, faces[part] as Sql)),
    ', ',
  )})) as areas from (${faced})`
}

/** Rows by what they count in, `ground`: 0 for all grounds together, else each ground's number from 1 up. Those in none are left out. */
export const byGround = (placed: Sql, isUnion: boolean): Sql =>
  isUnion
    ? sql`select *, toUInt32(0) as ground from (${placed}) where notEmpty(areas)`
    : sql`select *, arrayJoin(areas) as ground from (${placed})`
