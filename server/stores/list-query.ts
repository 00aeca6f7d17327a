import type { OrderByItemBuilder, SelectQueryBuilder } from 'kysely'

/** Converts a text to the `like` pattern for values that contain it; its wildcards are escaped. */
export const toLikePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

type Direction = (order: OrderByItemBuilder) => OrderByItemBuilder

/** Parses an `order_by` (`name`, or `-name` for descending) for Kysely. Nulls always come last. */
export function parseOrderBy<Key extends string>(order: Key | `-${Key}`): [key: Key, direction: Direction] {
  const isDescending = order.startsWith('-')
  const key = (isDescending ? order.slice(1) : order) as Key
  return [key, (by) => (isDescending ? by.desc() : by.asc()).nullsLast()]
}

/** Counts the rows of a query that selects no columns yet. */
export async function countTotal<Database, Table extends keyof Database, Output>(
  query: SelectQueryBuilder<Database, Table, Output>,
): Promise<number> {
  const row: unknown = await query
    .select(({ fn }) => fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number((row as { total: string }).total)
}
