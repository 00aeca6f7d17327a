import type { Layer } from '#contract/geography.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import type { Facts } from '#server/stores/facts.ts'
import { hourMs, floorToHour } from './cube-clock.ts'
import { type CubeLayer, cubeLayers, saveCubeLayer } from './cube-layers.ts'
import { copyHours } from './compute-hours.ts'
import { cubeBasis, type CubeRegion, unsizedBasis } from './cube-region.ts'
import { type CubeRun, errorMessage } from './cube-run.ts'
import { dirtyParts, forgetPart } from '#server/derived/dirty-spans.ts'
import { sealedBefore } from '#server/derived/sealed-spans.ts'
import type { State } from '#server/stores/state.ts'
import { hourOfSpan, shapeSums } from './dirty-hours.ts'
import { hasCubes, uniqueByKey } from './layer-shapes.ts'
import type { ReadyLayer } from './ready-layer.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'

/** The earliest moment of a cube, ms; `rows`: whether there is any. */
const firstFact = (regionId: string): Sql => {
  const thisRegion = sql`region_id = ${bind('String', regionId)}`
  return sql`
  select toString(toUnixTimestamp64Milli(minIf(first, rows > 0))) as first, toString(sum(rows)) as facts
  from (
    select min(start_time) as first, count() as rows from ${facts('trips')} where ${thisRegion}
    union all
    select min(event_time) as first, count() as rows from ${facts('vehicle_events')} where ${thisRegion}
    union all
    select min(from_time) as first, count() as rows from ${facts('vehicle_intervals')} where ${thisRegion}
    union all
    select min(from_time) as first, count() as rows from ${facts('parking_events')} where ${thisRegion}
  )`
}

/** A layer with its cubes. `layer` is null if it could not be read: its hours stay dirty. */
export interface SyncedLayer {
  row: CubeLayer
  layer: ReadyLayer | null
}

/** The keys of a layer's shapes that were never computed, neither for an earlier version of this layer nor for another. Only these are filled. */
function missingKeys(keys: readonly string[], sound: readonly CubeLayer[]): string[] {
  const known = new Set<string>()
  for (const row of sound) {
    const unknown = new Set(row.missing)
    for (const key of row.keys) if (!unknown.has(key)) known.add(key)
  }
  return keys.filter((key) => !known.has(key))
}

/** Adds new and changed layers of a region, and removes deleted ones. */
export async function syncLayers(cubing: CubeRun, region: CubeRegion): Promise<SyncedLayer[]> {
  const { state, log } = cubing
  const { scope, regionId } = region
  const wanted = (await listLayers(state, scope, regionId)).filter(hasCubes)
  const ids = new Set(wanted.map(({ shape_layer_uuid: id }) => id))
  const found = await cubeLayers(state.as(scope), regionId)
  const layersWithDirtyHours = await dirtyParts(state, scope, { product: shapeSums, regionId })
  for (const id of new Set([...found.map(({ layer_id }) => layer_id), ...layersWithDirtyHours]))
    if (!ids.has(id)) await removeCubeLayer(cubing, region, id)
  const rows = new Map(found.filter(({ layer_id: id }) => ids.has(id)).map((row) => [row.layer_id, row]))
  const synced: SyncedLayer[] = []
  for (const each of wanted) {
    const id = each.shape_layer_uuid
    const old = rows.get(id)
    try {
      const layer = await cubing.layers.load(region, each)
      if (layer && !(old && old.content_hash === layer.contentHash && old.basis === cubeBasis(region))) {
        const sound = [...rows.values()].filter(
          (row) =>
            row.basis === cubeBasis(region) &&
            row.status !== 'failed' &&
            !layersWithDirtyHours.has(row.layer_id),
        )
        rows.set(
          id,
          old?.content_hash === layer.contentHash && old.basis === unsizedBasis(region)
            ? await renameKeys(cubing, region, layer, old)
            : await startCubeLayer(cubing, region, layer, sound),
        )
      }
      const row = rows.get(id)
      if (row) synced.push({ row, layer })
    } catch (error) {
      const problem = errorMessage(error)
      log('cubes of a layer', { regionId, layerId: id, error: problem })
      const row: CubeLayer = {
        ...(old ?? emptyCubeLayer(each, region)),
        status: 'failed',
        problem,
        changed_time: cubing.at,
      }
      await saveCubeLayer(state.as(scope), row)
      rows.set(id, row)
      cubing.failed.add(id)
      if (old) synced.push({ row, layer: null })
    }
  }
  return synced
}

const emptyCubeLayer = (
  { shape_layer_uuid: id }: Layer,
  { regionId }: CubeRegion,
): Omit<CubeLayer, 'status' | 'problem' | 'changed_time'> => ({
  layer_id: id,
  region_id: regionId,
  content_hash: '',
  basis: '',
  keys: [],
  missing: [],
  fill_from: null,
  fill_until: null,
  done_hours: 0,
  total_hours: 0,
})

/** Records what must be filled of a new or changed layer. */
async function startCubeLayer(
  { state, facts, at }: CubeRun,
  region: CubeRegion,
  layer: ReadyLayer,
  sound: readonly CubeLayer[],
): Promise<CubeLayer> {
  const keys = [...new Set(layer.shapes.map(({ key }) => key))]
  const missing = missingKeys(keys, sound)
  const until = floorToHour(at.getTime(), region.shift)
  const from = missing.length ? await firstHour(state, facts, region, until) : until
  const isEmpty = from >= until
  const row: CubeLayer = {
    layer_id: layer.layerId,
    region_id: region.regionId,
    content_hash: layer.contentHash,
    basis: cubeBasis(region),
    keys,
    missing: isEmpty ? [] : missing,
    fill_from: new Date(from),
    fill_until: new Date(until),
    done_hours: 0,
    total_hours: Math.round((until - from) / hourMs),
    status: isEmpty ? 'ready' : 'waiting',
    problem: null,
    changed_time: at,
  }
  await saveCubeLayer(state.as(region.scope), row)
  return row
}

/**
 * Copies the sums of a layer of an earlier release to the keys of this one, instead of computing them again: facts before the seal may
 * be gone. Repeatable; the daily sweep removes the earlier keys.
 */
async function renameKeys(
  { state, facts, at }: CubeRun,
  region: CubeRegion,
  layer: ReadyLayer,
  old: CubeLayer,
): Promise<CubeLayer> {
  const keys = uniqueByKey(layer.shapes).map(({ key }) => key)
  const renamed = new Map(old.keys.map((key, position) => [key, keys[position] ?? '']))
  await copyHours(facts, region, renamed)
  const row: CubeLayer = {
    ...old,
    basis: cubeBasis(region),
    keys,
    missing: old.missing.map((key) => renamed.get(key) ?? ''),
    changed_time: at,
  }
  await saveCubeLayer(state.as(region.scope), row)
  return row
}

async function removeCubeLayer(
  { state, layers }: CubeRun,
  { scope, regionId }: CubeRegion,
  layerId: string,
): Promise<void> {
  layers.evict(layerId)
  await state.as(scope).deleteFrom('cube_layer').where('layer_id', '=', layerId).execute()
  await forgetPart(state, scope, { product: shapeSums, regionId, part: layerId })
}

/** The first hour with a fact that may still be counted, at most `until`, ms. */
async function firstHour(
  state: State,
  facts: Facts,
  { scope, regionId, shift }: CubeRegion,
  until: number,
): Promise<number> {
  const seal = await sealedBefore(state, scope, { product: shapeSums, regionId })
  const open = seal === null ? hourMs : hourOfSpan(seal)
  const [found] = await facts.rows<{ first: string; facts: string }>(scope, firstFact(regionId), {
    limits: { seconds: 300 },
  })
  return !found || found.facts === '0'
    ? until
    : Math.min(until, floorToHour(Math.max(hourMs, open, Number(found.first)), shift))
}
