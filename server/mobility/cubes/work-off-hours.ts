import { computeHours } from './compute-hours.ts'
import { changeCubeLayer } from './cube-layers.ts'
import type { CubeRegion } from './cube-region.ts'
import { type Cubing, problemOf } from './cubing.ts'
import { allLayers, dirtyHours, forgetHours, noteHours } from './dirty-hours.ts'
import type { KeptLayer } from './sync-layers.ts'

/**
 * Computes the newest hours that wait, of all layers, and then what is owed to layers that failed. A layer that fails owes its hours, and holds up no
 * other. Answers whether more may wait.
 */
export async function workOffHours(
  cubing: Cubing,
  region: CubeRegion,
  layers: readonly KeptLayer[],
): Promise<boolean> {
  const { state, nextVersion } = cubing
  const { scope, regionId } = region
  const waiting = await dirtyHours(state, scope, regionId)
  const hours = waiting.map(({ hour }) => hour)
  if (waiting.length) {
    for (const kept of layers)
      if (!(await computeLayer(cubing, region, kept, hours)))
        await noteHours(state, scope, regionId, hours, nextVersion(), kept.row.layer_id)
    await forgetHours(state, scope, regionId, waiting, allLayers)
  }
  let isMore = waiting.length > 0
  for (const kept of layers) isMore = (await workOffOwed(cubing, region, kept)) || isMore
  return isMore
}

async function workOffOwed(cubing: Cubing, region: CubeRegion, kept: KeptLayer): Promise<boolean> {
  const { state, at } = cubing
  const { row } = kept
  if (!kept.layer || cubing.failed.has(row.layer_id)) return false
  const owed = await dirtyHours(state, region.scope, region.regionId, row.layer_id)
  if (owed.length) {
    if (
      await computeLayer(
        cubing,
        region,
        kept,
        owed.map(({ hour }) => hour),
      )
    )
      await forgetHours(state, region.scope, region.regionId, owed, row.layer_id)
    return true
  }
  if (row.status === 'failed' && !row.missing.length)
    await changeCubeLayer(state, region.scope, row, { status: 'ready', problem: null, changed_time: at })
  return false
}

/** Whether hours of a layer could be computed. */
async function computeLayer(
  cubing: Cubing,
  region: CubeRegion,
  { row, layer }: KeptLayer,
  hours: readonly number[],
): Promise<boolean> {
  if (!layer || cubing.failed.has(row.layer_id)) return false
  const { state, facts, log, nextVersion, at } = cubing
  try {
    await computeHours(facts, region, layer, layer.shapes, hours, nextVersion())
    return true
  } catch (error) {
    cubing.failed.add(row.layer_id)
    log('cubes of a layer', { regionId: region.regionId, layerId: row.layer_id, error: problemOf(error) })
    await changeCubeLayer(state, region.scope, row, {
      status: 'failed',
      problem: problemOf(error),
      changed_time: at,
    })
    return false
  }
}
