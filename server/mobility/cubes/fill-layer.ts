import { computeHours } from './compute-hours.ts'
import { hourMs, hourOf } from './cube-clock.ts'
import { changeCubeLayer } from './cube-layers.ts'
import type { CubeRegion } from './cube-region.ts'
import { type Cubing, problemOf } from './cubing.ts'
import type { KeptLayer } from './sync-layers.ts'

/** The begin of the month (UTC) that the last hour before a moment is in, as an hour of the region's clock, ms; not before `from`. */
export function sliceStart(until: number, from: number, shift: number): number {
  const last = new Date(until - hourMs)
  return Math.max(from, hourOf(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1), shift))
}

/**
 * Computes a month of the first layer that has shapes which nobody has computed yet, the newest month that is left. What the layer had before
 * its change stays as it is. Cut off, the month is computed again. Answers whether there was one.
 */
export async function fillOneMonth(
  cubing: Cubing,
  region: CubeRegion,
  layers: readonly KeptLayer[],
): Promise<boolean> {
  const next = layers.find(
    ({ row, layer }) => layer && row.missing.length > 0 && !cubing.failed.has(row.layer_id),
  )
  if (!next?.layer) return false
  const { row, layer } = next
  const { state, facts, nextVersion, at, log } = cubing
  const [from, until] = [row.fill_from?.getTime() ?? 0, row.fill_until?.getTime() ?? 0]
  const begin = sliceStart(until, from, region.shift)
  const missing = new Set(row.missing)
  try {
    await computeHours(
      facts,
      region,
      layer,
      layer.shapes.filter(({ key }) => missing.has(key)),
      { from: begin, until },
      nextVersion(),
    )
    const isFilled = begin <= from
    await changeCubeLayer(state, region.scope, row, {
      fill_until: new Date(begin),
      done_hours: row.total_hours - Math.round((begin - from) / hourMs),
      status: isFilled ? 'ready' : 'running',
      problem: null,
      changed_time: at,
      isFilled,
    })
  } catch (error) {
    cubing.failed.add(row.layer_id)
    log('cubes of a layer', { regionId: region.regionId, layerId: row.layer_id, error: problemOf(error) })
    await changeCubeLayer(state, region.scope, row, {
      status: 'failed',
      problem: problemOf(error),
      changed_time: at,
    })
  }
  return true
}
