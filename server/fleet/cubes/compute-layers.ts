import { computeHours } from './compute-hours.ts'
import { updateCubeLayer } from './cube-layers.ts'
import type { CubeRegion } from './cube-region.ts'
import { type CubeRun, getShortErrorMessage } from './cube-run.ts'
import { markHoursDirty } from './dirty-hours.ts'
import type { SyncedLayer } from './sync-layers.ts'

/** Computes hours of all layers. Hours of failed layers are marked as dirty for them; others proceed. */
export async function computeLayers(
  run: CubeRun,
  region: CubeRegion,
  layers: readonly SyncedLayer[],
  hours: readonly number[],
): Promise<void> {
  for (const synced of layers)
    if (!(await computeLayerHours(run, region, synced, hours)))
      await markHoursDirty(run.state, region.scope, {
        regionId: region.regionId,
        hours,
        at: run.at,
        layerId: synced.row.layer_id,
      })
}

/** Computes hours of a layer. Returns whether it succeeded. */
export async function computeLayerHours(
  run: CubeRun,
  region: CubeRegion,
  { row, layer }: SyncedLayer,
  hours: readonly number[],
): Promise<boolean> {
  if (!layer || run.failed.has(row.layer_id)) return false
  const { state, facts, log, nextVersion, at } = run
  try {
    await computeHours(facts, region, layer, { shapes: layer.shapes, hours, version: nextVersion() })
    return true
  } catch (error) {
    run.failed.add(row.layer_id)
    log('cubes of a layer could not be computed', {
      regionId: region.regionId,
      layerId: row.layer_id,
      error: getShortErrorMessage(error),
    })
    await updateCubeLayer(state.as(region.scope), row, {
      status: 'failed',
      problem: getShortErrorMessage(error),
      changed_time: at,
    })
    return false
  }
}
