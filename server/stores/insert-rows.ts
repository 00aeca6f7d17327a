import { expressionBuilder, type Insertable, type Kysely, type RawBuilder, sql } from 'kysely'
import type { StateTables } from './state-tables.ts'

type Table = keyof StateTables
type ColumnType = 'text' | 'uuid' | 'integer' | 'real' | 'double precision' | 'jsonb' | 'timestamptz'

/** Types of columns, because PostgreSQL does not infer those of array parameters. */
export type ColumnTypes<Into extends Table> = Readonly<
  Partial<Record<keyof Insertable<StateTables[Into]> & string, ColumnType>>
>

/** The number of rows per statement. */
const rowsPerStatement = 5000
/** Characters of a JSON array, well below the maximum size of a `jsonb` array (256 MB). */
const maxJsonLength = 2 ** 26

/**
 * Returns a subquery with rows from one array parameter per column. A jsonb column is one JSON array,
 * which PostgreSQL parses in half the time of an array of texts.
 */
export const arraysAs = <Alias extends string, Row>(
  store: Kysely<StateTables>,
  alias: Alias,
  columns: { readonly [Name in keyof Row]: { type: ColumnType; values: readonly Row[Name][] } },
) => {
  const { fn, cast, val } = expressionBuilder<object, never>()
  const arrays = Object.entries<{ type: ColumnType; values: readonly unknown[] }>(columns)
  return store
    .selectNoFrom(
      arrays.map(([name, { type, values }]) => {
        const json =
          type === 'jsonb' && values.every((value) => typeof value === 'string') ? values.join() : null
        const rows =
          json !== null && json.length < maxJsonLength
            ? fn('jsonb_array_elements', [cast(val(`[${json}]`), 'jsonb')])
            : fn('unnest', [cast(val(values), sql.raw(`${type}[]`))])
        return rows.as(name)
      }),
    )
    .$castTo<Row>()
    .as(alias)
}

const isSame = (left: unknown, right: unknown): boolean =>
  left === right || (left instanceof Date && right instanceof Date && left.getTime() === right.getTime())

/**
 * Inserts many rows with one parameter per column instead of one per value, which takes a fraction of the
 * time. Columns that are not in `types` get their defaults.
 */
export const insertRows = <Into extends Table>(
  store: Kysely<StateTables>,
  table: Into,
  types: ColumnTypes<Into>,
  rows: readonly Insertable<StateTables[Into]>[],
): Promise<void> => insertInBatches(store, { table, types, rows, skipsConflicts: false })

/** Inserts many rows with one parameter per column, and skips rows with an existing key. */
export const insertMissingRows = <Into extends Table>(
  store: Kysely<StateTables>,
  table: Into,
  types: ColumnTypes<Into>,
  rows: readonly Insertable<StateTables[Into]>[],
): Promise<void> => insertInBatches(store, { table, types, rows, skipsConflicts: true })

interface RowInsert<Into extends Table> {
  table: Into
  types: ColumnTypes<Into>
  rows: readonly Insertable<StateTables[Into]>[]
  skipsConflicts: boolean
}

/** Inserts rows in batches, as arrays of their columns. */
async function insertInBatches<Into extends Table>(
  store: Kysely<StateTables>,
  { table, types, rows, skipsConflicts }: RowInsert<Into>,
): Promise<void> {
  const columns = Object.keys(types) as (keyof ColumnTypes<Into> & string)[]
  const { val, ref } = expressionBuilder<{ added: Record<string, unknown> }, 'added'>()
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const batch = rows.slice(start, start + rowsPerStatement) as Record<string, unknown>[]
    const arrays: Record<string, { type: ColumnType; values: unknown[] }> = {}
    const selections = columns.map((column) => {
      const values = batch.map((row) => row[column] ?? null)
      // A constant is shorter, and the Scope plugin can check a region only as a constant.
      if (values.every((value) => isSame(value, values[0]))) return val(values[0]).as(column)
      arrays[column] = { type: types[column] ?? 'text', values }
      return ref(`added.${column}`).as(column)
    })
    if (!Object.keys(arrays).length)
      arrays['row'] = { type: 'integer', values: batch.map((_, index) => index) }
    let query = store
      .insertInto(table)
      .columns(columns as never)
      .expression((eb) =>
        eb.selectFrom(arraysAs(store, 'added', arrays) as never).select(selections as never),
      )
    if (skipsConflicts) query = query.onConflict((conflict) => conflict.doNothing())
    await query.execute()
  }
}

/** Returns the argument of `doUpdateSet` that sets all columns but the keys to the conflicting values. */
export const overwrite = <Row extends object, Key extends keyof Row & string>(
  row: Row,
  keys: readonly Key[],
): Record<Exclude<keyof Row, Key>, RawBuilder<never>> =>
  Object.fromEntries(
    Object.keys(row)
      .filter((column) => !keys.some((key) => key === column))
      .map((column) => [column, sql.ref(`excluded.${column}`)]),
  ) as Record<Exclude<keyof Row, Key>, RawBuilder<never>>
