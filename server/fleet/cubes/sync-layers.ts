import type { Layer } from '#contract/geography.ts'
import { hourMs } from '#contract/period.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import type { Facts } from '#server/stores/facts.ts'
import { listDirtyParts, deletePart } from '#server/derived/dirty-spans.ts'
import { findSeal } from '#server/derived/sealed-spans.ts'
import type { State } from '#server/stores/state.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import { floorToHour } from './cube-clock.ts'
import { type CubeLayer, listCubeLayers, saveCubeLayer } from './cube-layers.ts'
import { copyHours } from './compute-hours.ts'
import { getCubeBasis, type CubeRegion, unsizedBasis } from './cube-region.ts'
import { type CubeRun, getShortErrorMessage } from './cube-run.ts'
import { parseHourSpan, shapeSums } from './dirty-hours.ts'
import { hasCubes, removeDuplicateKeys } from './layer-shapes.ts'
import type { ReadyLayer } from './ready-layer.ts'

/** Builds SQL for the time of a region's first fact (`first`, ms) and the number of facts. */
const firstFactSql = (regionId: string): Sql => {
  const thisRegion = sql`region_id = ${bind('String', regionId)}`
  return sql`
    select
      toString(toUnixTimestamp64Milli(minIf(first, rows > 0))) as first,
      toString(sum(rows)) as facts
    from (
      select min(start_time) as first, count() as rows
      from ${facts('trips')}
      where ${thisRegion}
      union all
      select min(event_time) as first, count() as rows
      from ${facts('vehicle_events')}
      where ${thisRegion}
      union all
      select min(from_time) as first, count() as rows
      from ${facts('vehicle_intervals')}
      where ${thisRegion}
      union all
      select min(from_time) as first, count() as rows
      from ${facts('parking_events')}
      where ${thisRegion}
    )`
}

/** A layer and the row of its cubes. `layer` is null if it could not be read: its hours remain dirty. */
export interface SyncedLayer {
  row: CubeLayer
  layer: ReadyLayer | null
}

/** Finds the keys of shapes that no valid layer has computed. Only these are filled. */
function findMissingKeys(keys: readonly string[], validLayers: readonly CubeLayer[]): string[] {
  const computed = new Set<string>()
  for (const row of validLayers) {
    const missing = new Set(row.missing)
    for (const key of row.keys) if (!missing.has(key)) computed.add(key)
  }
  return keys.filter((key) => !computed.has(key))
}

/** Updates the rows of a region's layers: starts new and changed layers, and removes deleted ones. */
export async function syncLayers(run: CubeRun, region: CubeRegion): Promise<SyncedLayer[]> {
  const { state, log } = run
  const { scope, regionId } = region
  const layers = (await listLayers(state, scope, regionId)).filter(hasCubes)
  const ids = new Set(layers.map(({ shape_layer_uuid: id }) => id))
  const storedRows = await listCubeLayers(state.as(scope), regionId)
  const layersWithDirtyHours = await listDirtyParts(state, scope, { product: shapeSums, regionId })
  for (const id of new Set([...storedRows.map(({ layer_id }) => layer_id), ...layersWithDirtyHours]))
    if (!ids.has(id)) await removeCubeLayer(run, region, id)
  const rows = new Map(storedRows.filter(({ layer_id: id }) => ids.has(id)).map((row) => [row.layer_id, row]))
  const synced: SyncedLayer[] = []
  for (const definition of layers) {
    const id = definition.shape_layer_uuid
    const old = rows.get(id)
    try {
      const layer = await run.layers.load(region, definition)
      if (layer && !(old && old.content_hash === layer.contentHash && old.basis === getCubeBasis(region))) {
        const validLayers = [...rows.values()].filter(
          (row) =>
            row.basis === getCubeBasis(region) &&
            row.status !== 'failed' &&
            !layersWithDirtyHours.has(row.layer_id),
        )
        rows.set(
          id,
          old?.content_hash === layer.contentHash && old.basis === unsizedBasis(region)
            ? await renameKeys(run, region, layer, old)
            : await startCubeLayer(run, region, layer, validLayers),
        )
      }
      const row = rows.get(id)
      if (row) synced.push({ row, layer })
    } catch (error) {
      const problem = getShortErrorMessage(error)
      log('cubes of a layer could not be computed', { regionId, layerId: id, error: problem })
      const row: CubeLayer = {
        ...(old ?? createEmptyCubeLayer(definition, region)),
        status: 'failed',
        problem,
        changed_time: run.at,
      }
      await saveCubeLayer(state.as(scope), row)
      rows.set(id, row)
      run.failed.add(id)
      if (old) synced.push({ row, layer: null })
    }
  }
  return synced
}

const createEmptyCubeLayer = (
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

/** Stores which shapes and hours of a new or changed layer must be filled. */
async function startCubeLayer(
  { state, facts, at }: CubeRun,
  region: CubeRegion,
  layer: ReadyLayer,
  validLayers: readonly CubeLayer[],
): Promise<CubeLayer> {
  const keys = [...new Set(layer.shapes.map(({ key }) => key))]
  const missing = findMissingKeys(keys, validLayers)
  const until = floorToHour(at.getTime(), region.shift)
  const from = missing.length ? await findFirstHour(state, facts, region, until) : until
  const isEmpty = from >= until
  const row: CubeLayer = {
    layer_id: layer.layerId,
    region_id: region.regionId,
    content_hash: layer.contentHash,
    basis: getCubeBasis(region),
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
 * Copies a layer's sums from the keys of an earlier release to the current keys. They cannot be computed
 * again, because facts before the seal may have been removed. Idempotent; the daily sweep removes the earlier
 * keys.
 */
async function renameKeys(
  { state, facts, at }: CubeRun,
  region: CubeRegion,
  layer: ReadyLayer,
  old: CubeLayer,
): Promise<CubeLayer> {
  const keys = removeDuplicateKeys(layer.shapes).map(({ key }) => key)
  const newKeys = new Map(old.keys.map((key, position) => [key, keys[position] ?? '']))
  await copyHours(facts, region, newKeys)
  const row: CubeLayer = {
    ...old,
    basis: getCubeBasis(region),
    keys,
    missing: old.missing.map((key) => newKeys.get(key) ?? ''),
    changed_time: at,
  }
  await saveCubeLayer(state.as(region.scope), row)
  return row
}

/** Removes the row of a deleted layer and its dirty hours. Its sums are removed by the daily sweep. */
async function removeCubeLayer(
  { state, layers }: CubeRun,
  { scope, regionId }: CubeRegion,
  layerId: string,
): Promise<void> {
  layers.evict(layerId)
  await state.as(scope).deleteFrom('cube_layer').where('layer_id', '=', layerId).execute()
  await deletePart(state, scope, { product: shapeSums, regionId, part: layerId })
}

/** Finds the first hour (ms) with facts that is not sealed; at most `until`. */
async function findFirstHour(
  state: State,
  facts: Facts,
  { scope, regionId, shift }: CubeRegion,
  until: number,
): Promise<number> {
  const seal = await findSeal(state, scope, { product: shapeSums, regionId })
  // Times before the first hour of 1970 cannot be stored.
  const firstUnsealed = seal === null ? hourMs : parseHourSpan(seal)
  const [firstFactRow] = await facts.rows<{ first: string; facts: string }>(scope, firstFactSql(regionId), {
    limits: { seconds: 300 },
  })
  return !firstFactRow || firstFactRow.facts === '0'
    ? until
    : Math.min(until, floorToHour(Math.max(hourMs, firstUnsealed, Number(firstFactRow.first)), shift))
}
