import type { z } from 'zod'
import type { listRegions as contract, Region } from '#contract/regions.ts'
import { toLikePattern, countTotal } from '#server/stores/list-query.ts'
import type { Store } from '#server/stores/state.ts'
import { readRegion } from './read-region.ts'

type RegionsQuery = z.output<(typeof contract)['request']['query']>

/** Returns a page of the Scope's regions, searched by name or id. */
export async function listRegions(
  store: Store,
  query: RegionsQuery,
): Promise<{ items: Region[]; total: number; page: number; size: number }> {
  const searchText = query.search ?? query.text
  let selection = store.selectFrom('region')
  const pattern = toLikePattern(searchText ?? '')
  if (searchText)
    selection = selection.where((is) =>
      is.or([is('text', 'ilike', pattern), is('region_id', 'ilike', pattern)]),
    )
  if (query.region_id) selection = selection.where('region_id', '=', query.region_id)
  if (query.organization_uuid) selection = selection.where('organization_id', '=', query.organization_uuid)
  const total = await countTotal(selection)
  const column = query.order_by.endsWith('regionId') ? 'region_id' : 'text'
  const rows = await selection
    .selectAll()
    .orderBy(column, query.order_by.startsWith('-') ? 'desc' : 'asc')
    .orderBy('region_id')
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute()
  return { items: rows.map(readRegion), total, page: query.page, size: query.size }
}
