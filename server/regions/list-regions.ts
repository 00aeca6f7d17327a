import type { z } from 'zod'
import type { listRegions as contract, Region } from '#contract/regions.ts'
import { likePattern } from '#server/stores/like-pattern.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { readRegion } from './read-region.ts'

type Ask = z.output<(typeof contract)['ask']['query']>

/** Regions of the Scope, searched by name or id, one page. */
export async function listRegions(
  state: State,
  scope: Scope,
  ask: Ask,
): Promise<{ items: Region[]; total: number; page: number; size: number }> {
  const words = ask.search ?? ask.text
  let found = state.as(scope).selectFrom('region')
  const pattern = likePattern(words ?? '')
  if (words)
    found = found.where((is) => is.or([is('text', 'ilike', pattern), is('region_id', 'ilike', pattern)]))
  if (ask.region_id) found = found.where('region_id', '=', ask.region_id)
  if (ask.organization_uuid) found = found.where('organization_id', '=', ask.organization_uuid)
  const { total } = await found.select((of) => of.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const column = ask.order_by.endsWith('regionId') ? 'region_id' : 'text'
  const rows = await found
    .selectAll()
    .orderBy(column, ask.order_by.startsWith('-') ? 'desc' : 'asc')
    .orderBy('region_id')
    .limit(ask.size)
    .offset((ask.page - 1) * ask.size)
    .execute()
  return { items: rows.map(readRegion), total: Number(total), page: ask.page, size: ask.size }
}
