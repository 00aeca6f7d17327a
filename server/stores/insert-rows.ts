import { expressionBuilder, type Insertable, type Kysely, sql } from 'kysely'
import type { StateTables } from './state-tables.ts'

type Table = keyof StateTables
type ColumnType = 'text' | 'uuid' | 'integer' | 'real' | 'double precision' | 'jsonb' | 'timestamptz'

/** The types of columns, because PostgreSQL does not infer those of arrays. */
export type ColumnTypes<Into extends Table> = Readonly<
  Partial<Record<keyof Insertable<StateTables[Into]> & string, ColumnType>>
>

const rowsPerStatement = 5000

/** Values as rows of a query, from one array for each column. It reads no table, so that the Scope plugin admits it. */
export const arraysAs = <Alias extends string, Row>(
  alias: Alias,
  columns: { readonly [Name in keyof Row]: { type: ColumnType; values: readonly Row[Name][] } },
) => {
  const arrays = Object.values<{ type: ColumnType; values: readonly unknown[] }>(columns).map(
    ({ type, values }) => sql`${sql.val(values)}::${sql.raw(`${type}[]`)}`,
  )
  const names = Object.keys(columns).map((name) => sql.ref(name))
  return sql<Row>`unnest(${sql.join(arrays)})`.as<Alias>(sql`${sql.ref(alias)} (${sql.join(names)})`)
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (one instanceof Date && other instanceof Date && one.getTime() === other.getTime())

/**
 * Inserts many rows with one parameter per column instead of one per value, which takes a fraction of the time. Columns that `types`
 * does not name have their defaults. `skipsConflicts`: rows with an existing key are left out.
 */
export async function insertRows<Into extends Table>(
  store: Kysely<StateTables>,
  table: Into,
  types: ColumnTypes<Into>,
  rows: readonly Insertable<StateTables[Into]>[],
  { skipsConflicts = false } = {},
): Promise<void> {
  const columns = Object.keys(types) as (keyof ColumnTypes<Into> & string)[]
  const { val, ref } = expressionBuilder<{ added: Record<string, unknown> }, 'added'>()
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const batch = rows.slice(from, from + rowsPerStatement) as Record<string, unknown>[]
    const arrays: Record<string, { type: ColumnType; values: unknown[] }> = {}
    const selected = columns.map((column) => {
      const values = batch.map((row) => row[column] ?? null)
      // As a constant, which is less to send, and what the Scope plugin reads of the region.
      if (values.every((value) => isSame(value, values[0]))) return val(values[0]).as(column)
      arrays[column] = { type: types[column] ?? 'text', values }
      return ref(`added.${column}`).as(column)
    })
    if (!Object.keys(arrays).length) arrays['row'] = { type: 'integer', values: batch.map((_, at) => at) }
    let query = store
      .insertInto(table)
      .columns(columns as never)
      .expression((eb) => eb.selectFrom(arraysAs('added', arrays) as never).select(selected as never))
    if (skipsConflicts) query = query.onConflict((conflict) => conflict.doNothing())
    await query.execute()
  }
}
