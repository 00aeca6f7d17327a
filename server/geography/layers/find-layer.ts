import type { Layer } from '#contract/geography.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { readLayer } from './read-layer.ts'
import { selectLayers } from '../shapes/select-rows.ts'

/** Lists the layers of a region by name; the primary layer first, basemaps last. */
export async function listLayers(state: State, scope: Scope, regionId: string): Promise<Layer[]> {
  await findRegion(state, scope, regionId)
  const rows = await selectLayers(state.as(scope))
    .where('region_id', '=', regionId)
    .orderBy('layer.name')
    .execute()
  const rank = ({ level }: Layer): number => (level === 'l1' ? 0 : level?.startsWith('basemap:') ? 2 : 1)
  return rows.map(readLayer).sort((a, b) => rank(a) - rank(b))
}

/** Finds a layer of a region. @throws Problem `not_found` if there is none in the Scope. */
export async function findLayer(
  state: State,
  scope: Scope,
  regionId: string,
  layerId: string,
): Promise<Layer> {
  const row = await selectLayers(state.as(scope))
    .where('region_id', '=', regionId)
    .where('layer_id', '=', layerId)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such layer in this region.'))
  return readLayer(row)
}
