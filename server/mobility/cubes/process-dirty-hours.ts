import { computeHours } from './compute-hours.ts'
import { updateCubeLayer } from './cube-layers.ts'
import type { CubeRegion } from './cube-region.ts'
import { type CubeRun, errorMessage } from './cube-run.ts'
import { allLayers, listDirtyHours, clearDirtyHours, markHoursDirty } from './dirty-hours.ts'
import type { SyncedLayer } from './sync-layers.ts'

/**
 * Computes the newest hours that wait, of all layers, and then those of layers that failed before. The hours of a layer that fails stay dirty for it, and
 * do not hold up other layers. Answers whether more may wait.
 */
export async function processDirtyHours(
  cubing: CubeRun,
  region: CubeRegion,
  layers: readonly SyncedLayer[],
): Promise<boolean> {
  const { state, nextVersion } = cubing
  const { scope, regionId } = region
  const waiting = await listDirtyHours(state, scope, regionId)
  const hours = waiting.map(({ hour }) => hour)
  if (waiting.length) {
    for (const entry of layers)
      if (!(await computeLayerHours(cubing, region, entry, hours)))
        await markHoursDirty(state, scope, regionId, hours, nextVersion(), entry.row.layer_id)
    await clearDirtyHours(state, scope, regionId, waiting, allLayers)
  }
  let hasMore = waiting.length > 0
  for (const entry of layers) hasMore = (await retryFailedHours(cubing, region, entry)) || hasMore
  return hasMore
}

async function retryFailedHours(
  cubing: CubeRun,
  region: CubeRegion,
  failedLayer: SyncedLayer,
): Promise<boolean> {
  const { state, at } = cubing
  const { row } = failedLayer
  if (!failedLayer.layer || cubing.failed.has(row.layer_id)) return false
  const layerHours = await listDirtyHours(state, region.scope, region.regionId, row.layer_id)
  if (layerHours.length) {
    if (
      await computeLayerHours(
        cubing,
        region,
        failedLayer,
        layerHours.map(({ hour }) => hour),
      )
    )
      await clearDirtyHours(state, region.scope, region.regionId, layerHours, row.layer_id)
    return true
  }
  if (row.status === 'failed' && !row.missing.length)
    await updateCubeLayer(state, region.scope, row, { status: 'ready', problem: null, changed_time: at })
  return false
}

/** Whether hours of a layer could be computed. */
async function computeLayerHours(
  cubing: CubeRun,
  region: CubeRegion,
  { row, layer }: SyncedLayer,
  hours: readonly number[],
): Promise<boolean> {
  if (!layer || cubing.failed.has(row.layer_id)) return false
  const { state, facts, log, nextVersion, at } = cubing
  try {
    await computeHours(facts, region, layer, layer.shapes, hours, nextVersion())
    return true
  } catch (error) {
    cubing.failed.add(row.layer_id)
    log('cubes of a layer', { regionId: region.regionId, layerId: row.layer_id, error: errorMessage(error) })
    await updateCubeLayer(state, region.scope, row, {
      status: 'failed',
      problem: errorMessage(error),
      changed_time: at,
    })
    return false
  }
}
