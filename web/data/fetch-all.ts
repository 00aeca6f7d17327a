import type { Endpoint } from '#contract/endpoint.ts'
import { maxFileRows } from '#web/kit/table/table.tsx'
import { call } from './client.ts'
import type { EndpointInput } from './endpoint-url.ts'
import type { ItemOf, ListResponse } from './paged-query.ts'

const pageSize = 300

interface FetchAllOptions<T> {
  /** Returns the id by which items are deduplicated. */
  getKey: (item: T) => string
  /** Called with the loaded share, 0 to 1. */
  onProgress?: (share: number) => void
  maxRows?: number
}

/**
 * Loads all items of a list page by page, at most `maxRows`. An item that appears on two pages, because new
 * ones were added meanwhile, is returned once. Fails if a page fails, because an incomplete list could be
 * mistaken for all.
 */
export async function fetchAll<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  { getKey, onProgress, maxRows = maxFileRows }: FetchAllOptions<ItemOf<E>>,
): Promise<ItemOf<E>[]> {
  const itemsByKey = new Map<string, ItemOf<E>>()
  for (let page = 1; ; page++) {
    const query = { ...(input as { query?: object }).query, page, size: pageSize }
    const { items, total } = (await call(endpoint, { ...input, query })) as ListResponse<ItemOf<E>>
    for (const item of items) itemsByKey.set(getKey(item), item)
    onProgress?.(Math.min(1, (page * pageSize) / Math.min(total, maxRows)))
    if (items.length === 0 || page * pageSize >= total || itemsByKey.size >= maxRows)
      return [...itemsByKey.values()].slice(0, maxRows)
  }
}
