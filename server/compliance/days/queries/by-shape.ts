import { type Sql, sql } from '#server/stores/sql.ts'

/**
 * Builds the SQL of rows once per `shape` that contains them, numbered from 1, or once as shape 0 for the
 * union of all shapes.
 */
export const byShape = (placed: Sql, isUnion: boolean): Sql =>
  isUnion
    ? sql`select *, toUInt32(0) as shape from (${placed}) where notEmpty(areas)`
    : sql`select *, arrayJoin(areas) as shape from (${placed})`
