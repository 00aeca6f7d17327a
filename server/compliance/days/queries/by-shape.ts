import { type Sql, sql } from '#server/stores/sql.ts'

/** Rows by `shape`: 0 for all shapes together, else each shape's number starting at 1. Rows outside are left out. */
export const byShape = (placed: Sql, isUnion: boolean): Sql =>
  isUnion
    ? sql`select *, toUInt32(0) as shape from (${placed}) where notEmpty(areas)`
    : sql`select *, arrayJoin(areas) as shape from (${placed})`
