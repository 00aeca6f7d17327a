import { type RawBuilder, sql } from 'kysely'

/** Argument of `doUpdateSet` that sets all columns but the keys to the values of the conflicting insert. */
export const overwrite = <Row extends object, Key extends keyof Row & string>(
  row: Row,
  keys: readonly Key[],
): Record<Exclude<keyof Row, Key>, RawBuilder<never>> =>
  Object.fromEntries(
    Object.keys(row)
      .filter((column) => !keys.some((key) => key === column))
      .map((column) => [column, sql.ref(`excluded.${column}`)]),
  ) as Record<Exclude<keyof Row, Key>, RawBuilder<never>>
