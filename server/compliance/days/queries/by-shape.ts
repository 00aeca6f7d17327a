import { type Sql, sql } from '#server/stores/sql.ts'

/** Builds SQL that repeats rows with `areas` per `shape`, from 1, or as shape 0 for the union. */
export const shapeRows = (placedRows: Sql, isUnion: boolean): Sql =>
  isUnion
    ? sql`select *, toUInt32(0) as shape from (${placedRows}) where notEmpty(areas)`
    : sql`select *, arrayJoin(areas) as shape from (${placedRows})`
