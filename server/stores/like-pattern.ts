import type { OrderByItemBuilder } from 'kysely'

/** What people type, as a pattern that finds it anywhere: its own signs lose their meaning. */
export const likePattern = (words: string): string => `%${words.replace(/[\\%_]/g, '\\$&')}%`

type Direction = (order: OrderByItemBuilder) => OrderByItemBuilder

/** The key of an `order_by` (`name`, `-name`) and its direction for Kysely; missing values come last either way. */
export function parseOrderBy<Key extends string>(order: Key | `-${Key}`): [key: Key, direction: Direction] {
  const isDescending = order.startsWith('-')
  const key = (isDescending ? order.slice(1) : order) as Key
  return [key, (by) => (isDescending ? by.desc() : by.asc()).nullsLast()]
}
