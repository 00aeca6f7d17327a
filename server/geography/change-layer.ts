import type { Layer } from '#contract/geography.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from './find-layer.ts'

/** Renames a layer or changes its level and buffers. */
export async function changeLayer(state: State, scope: Scope, regionId: string, layerId: string, change: { layer_name?: string | undefined; level?: string | null | undefined; buffers?: number[] | undefined }, at: Date): Promise<Layer> {
  await findLayer(state, scope, regionId, layerId)
  const columns = {
    ...(change.layer_name === undefined ? {} : { name: change.layer_name }),
    ...(change.level === undefined ? {} : { level: change.level }),
    ...(change.buffers === undefined ? {} : { buffers: JSON.stringify([...new Set(change.buffers)].sort((a, b) => a - b)) }),
  }
  if (Object.keys(columns).length) await state.as(scope).updateTable('layer').set({ ...columns, modified_time: at }).where('layer_id', '=', layerId).execute()
  return findLayer(state, scope, regionId, layerId)
}

/** Deletes a layer with its shapes and their history; answers how many shapes. */
export async function deleteLayer(state: State, scope: Scope, regionId: string, layerId: string): Promise<number> {
  const layer = await findLayer(state, scope, regionId, layerId)
  await state.as(scope).deleteFrom('layer').where('layer_id', '=', layerId).execute()
  return layer.shape_count
}
