import type { Endpoint } from '#contract/endpoint.ts'
import { maxFileRows } from '#web/kit/table/table.tsx'
import { call } from './client.ts'
import type { EndpointInput } from './endpoint-url.ts'
import type { ItemOf, ListResponse } from './paged-query.ts'

const pageSize = 300

/**
 * Loads all items of a list page by page, each once, even if new ones shift the pages meanwhile. Fails if a page
 * fails, because half a list looks like a whole one.
 */
export async function fetchAll<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  keyOf: (item: ItemOf<E>) => string,
  onProgress: (share: number) => void = () => undefined,
  maxRows = maxFileRows,
): Promise<ItemOf<E>[]> {
  const found = new Map<string, ItemOf<E>>()
  for (let page = 1; ; page++) {
    const query = { ...(input as { query?: object }).query, page, size: pageSize }
    const { items, total } = (await call(endpoint, { ...input, query })) as ListResponse<ItemOf<E>>
    for (const item of items) found.set(keyOf(item), item)
    onProgress(Math.min(1, (page * pageSize) / Math.min(total, maxRows)))
    if (items.length === 0 || page * pageSize >= total || found.size >= maxRows)
      return [...found.values()].slice(0, maxRows)
  }
}
