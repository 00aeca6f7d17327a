import { type Sql, sql } from '#server/stores/sql.ts'

/** Rows by `ground`: 0 for all grounds together, else each ground's number starting at 1. Rows outside are left out. */
export const byGround = (placed: Sql, isUnion: boolean): Sql =>
  isUnion
    ? sql`select *, toUInt32(0) as ground from (${placed}) where notEmpty(areas)`
    : sql`select *, arrayJoin(areas) as ground from (${placed})`
