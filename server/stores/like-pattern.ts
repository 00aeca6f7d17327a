import type { OrderByItemBuilder } from 'kysely'

/** The `like` pattern that matches a text anywhere; its wildcards are escaped. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

type Direction = (order: OrderByItemBuilder) => OrderByItemBuilder

/**
 * The key of an `order_by` (`name`, `-name`) and its direction for Kysely; missing values come last either
 * way.
 */
export function parseOrderBy<Key extends string>(order: Key | `-${Key}`): [key: Key, direction: Direction] {
  const isDescending = order.startsWith('-')
  const key = (isDescending ? order.slice(1) : order) as Key
  return [key, (by) => (isDescending ? by.desc() : by.asc()).nullsLast()]
}
