import type * as contract from '#contract/geography.ts'
import type { Layer } from '#contract/geography.ts'
import { Problem } from '#server/http/problem.ts'
import type { ScopedCall } from '#server/http/route.ts'
import type { State, Store } from '#server/stores/state.ts'
import { lockLayer } from '../shapes/edit/lock-layer.ts'
import { getNextModifiedTime } from '../shapes/edit/shape-row.ts'
import { findLayer, readLayer, selectLayers } from './find-layer.ts'

const toSortedJson = (values: readonly number[]): string =>
  JSON.stringify([...new Set(values)].sort((a, b) => a - b))

/**
 * Locks the layer and returns its modified time.
 * @throws Problem `conflict` with the current layer if it or its shapes have changed since `expectedTime`.
 */
async function lockIfUnchanged(
  store: Store,
  regionId: string,
  layerId: string,
  expectedTime: string | undefined,
): Promise<Date> {
  const row = await lockLayer(store, regionId, layerId)
  if (expectedTime === undefined || Date.parse(expectedTime) === row.modified_time.getTime())
    return row.modified_time
  const current = readLayer(
    await selectLayers(store).where('layer_id', '=', layerId).executeTakeFirstOrThrow(),
  )
  throw new Problem(
    'conflict',
    `“${current.layer_name}” was changed by ${current.modified_by ?? 'the server'} at ${current.modified_time}, after you began. Choose between the two.`,
    undefined,
    current,
  )
}

/**
 * Renames a layer or changes its settings.
 * @param feedName the feed that maintains its shapes, if any; such a layer cannot be made editable
 */
export async function changeLayer(
  state: State,
  {
    viewer: { scope },
    params: { region_id: regionId, shape_layer_uuid: layerId },
    body: change,
    at,
  }: ScopedCall<typeof contract.changeLayer, 'params' | 'body' | 'at'>,
  feedName: string | null,
): Promise<Layer> {
  await findLayer(state, scope, regionId, layerId)
  if (change.editable && feedName !== null)
    throw new Problem(
      'conflict',
      `The feed “${feedName}” maintains the shapes of this layer. Anything you draw would be lost with its next update.`,
    )
  const columns = {
    ...(change.layer_name === undefined ? {} : { name: change.layer_name }),
    ...(change.level === undefined ? {} : { level: change.level }),
    ...(change.editable === undefined ? {} : { editable: change.editable }),
    ...(change.buffers === undefined ? {} : { buffers: toSortedJson(change.buffers) }),
    ...(change.intersect_route === undefined ? {} : { intersect_route: change.intersect_route }),
    ...(change.hourly_processing === undefined
      ? {}
      : { hourly_processing: JSON.stringify([...new Set(change.hourly_processing)]) }),
    ...(change.parking_duration_filters === undefined
      ? {}
      : { parking_duration_filters: toSortedJson(change.parking_duration_filters) }),
    ...(change.vehicle_counts === undefined ? {} : { vehicle_counts: change.vehicle_counts }),
  }
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const previousTime = await lockIfUnchanged(store, regionId, layerId, change.if_modified_time)
      if (!Object.keys(columns).length) return
      await store
        .updateTable('layer')
        .set({ ...columns, modified_by: scope.userId, modified_time: getNextModifiedTime(previousTime, at) })
        .where('layer_id', '=', layerId)
        .execute()
    })
  return findLayer(state, scope, regionId, layerId)
}

/** Deletes a layer with its shapes and their history. Returns the number of shapes. */
export async function deleteLayer(
  state: State,
  { viewer: { scope }, params, query }: ScopedCall<typeof contract.deleteLayer, 'params' | 'query'>,
): Promise<number> {
  const { region_id: regionId, shape_layer_uuid: layerId } = params
  const layer = await findLayer(state, scope, regionId, layerId)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      await lockIfUnchanged(store, regionId, layerId, query.if_modified_time)
      await store.deleteFrom('layer').where('layer_id', '=', layerId).execute()
    })
  return layer.shape_count
}
