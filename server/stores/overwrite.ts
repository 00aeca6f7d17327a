import { type RawBuilder, sql } from 'kysely'

/** For `doUpdateSet`: all columns of a row but its keys take the values that were to be inserted. */
export const overwrite = <Row extends object, Key extends keyof Row & string>(
  row: Row,
  keys: readonly Key[],
): Record<Exclude<keyof Row, Key>, RawBuilder<never>> =>
  Object.fromEntries(
    Object.keys(row)
      .filter((column) => !keys.some((key) => key === column))
      .map((column) => [column, sql.ref(`excluded.${column}`)]),
  ) as Record<Exclude<keyof Row, Key>, RawBuilder<never>>
