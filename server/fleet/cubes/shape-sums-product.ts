import { hourMs } from '#contract/period.ts'
import type { DerivedProduct, DerivedRegion, DerivedRun } from '#server/derived/derived-product.ts'
import type { Log } from '#server/jobs/log.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { listDirtyParts, listDirty } from '#server/derived/dirty-spans.ts'
import { computeHours } from './compute-hours.ts'
import { computeLayerHours, computeLayers } from './compute-layers.ts'
import { floorToHour } from './cube-clock.ts'
import { updateCubeLayer } from './cube-layers.ts'
import { type CubeRegion, toCubeRegion } from './cube-region.ts'
import { type CubeRun, getShortErrorMessage } from './cube-run.ts'
import { parseHourSpan, markHoursDirty, shapeSums } from './dirty-hours.ts'
import type { ReadyLayers } from './ready-layer.ts'
import { sweepCubes } from './sweep-cubes.ts'
import { syncLayers, type SyncedLayer } from './sync-layers.ts'

/**
 * Finds the start (ms) of the UTC month that contains the last hour before `until`, rounded down to an hour
 * of the region's clock; at least `from`.
 */
export function findMonthStart(until: number, from: number, shift: number): number {
  const lastHour = new Date(until - hourMs)
  return Math.max(from, floorToHour(Date.UTC(lastHour.getUTCFullYear(), lastHour.getUTCMonth(), 1), shift))
}

/**
 * Fills the newest missing month of the first layer that has new shapes. Sums of unchanged shapes are not
 * computed again. An interrupted month is computed again. Returns whether there was a month to fill.
 */
async function fillOneMonth(
  run: CubeRun,
  region: CubeRegion,
  layers: readonly SyncedLayer[],
): Promise<boolean> {
  const layerToFill = layers.find(
    ({ row, layer }) => layer && row.missing.length > 0 && !run.failed.has(row.layer_id),
  )
  if (!layerToFill?.layer) return false
  const { row, layer } = layerToFill
  const { state, facts, nextVersion, at, log } = run
  const from = row.fill_from?.getTime() ?? 0
  const until = row.fill_until?.getTime() ?? 0
  const begin = findMonthStart(until, from, region.shift)
  const missing = new Set(row.missing)
  try {
    await computeHours(facts, region, layer, {
      shapes: layer.shapes.filter(({ key }) => missing.has(key)),
      hours: { from: begin, until },
      version: nextVersion(),
    })
    const isFilled = begin <= from
    await updateCubeLayer(state.as(region.scope), row, {
      fill_until: new Date(begin),
      done_hours: row.total_hours - Math.round((begin - from) / hourMs),
      status: isFilled ? 'ready' : 'running',
      problem: null,
      changed_time: at,
      isFilled,
    })
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
  }
  return true
}

/** Marks each hour that ended since the last run as dirty: parked vehicles have no events that mark it. */
async function markEndedHours({ state, at }: CubeRun, { regionId, scope, shift }: CubeRegion): Promise<void> {
  const until = floorToHour(at.getTime(), shift)
  const cubeRegionRow = await state
    .as(scope)
    .selectFrom('cube_region')
    .select('ended_until')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  const from = cubeRegionRow?.ended_until.getTime() ?? until
  const hours = Array.from(
    { length: Math.max(0, Math.ceil((until - from) / hourMs)) },
    (_, index) => until - (index + 1) * hourMs,
  )
  if (cubeRegionRow && !hours.length) return
  await markHoursDirty(state, scope, { regionId, hours, at })
  await state
    .as(scope)
    .insertInto('cube_region')
    .values({ region_id: regionId, ended_until: new Date(until) })
    .onConflict((conflict) => conflict.column('region_id').doUpdateSet({ ended_until: new Date(until) }))
    .execute()
}

/** Sets a failed layer without missing shapes to ready. To be called when none of its hours are dirty. */
async function recoverLayer(
  { state, at }: CubeRun,
  { scope }: CubeRegion,
  { row, layer }: SyncedLayer,
): Promise<void> {
  if (layer && row.status === 'failed' && !row.missing.length)
    await updateCubeLayer(state.as(scope), row, { status: 'ready', problem: null, changed_time: at })
}

interface ShapeSumsOptions {
  state: State
  facts: Facts
  layers: ReadyLayers
  /** Milliseconds since 1970. */
  nowMs: () => number
  log: Log
}

/**
 * The hours of one portion are within a week, because a query reads all facts between the first and the last
 * one. Smaller portions take longer: a query takes a quarter of a second of CPU time before it reads any
 * facts.
 */
const maxSpanHours = 7 * 24

/**
 * Creates the derived product of the sums of each shape by hour and by day (decision 011). Reads trips,
 * parking events, drop-offs and intervals. Writes `shape_hours` and `shape_day_hours`, and withdraws obsolete
 * rows. An hour is computed after it has ended and settled: 20 minutes after its first mark, or an hour if it
 * was computed before. Until then, maps read its day from facts. New shapes are filled one month at a time.
 */
export function createShapeSums({ state, facts, layers, nowMs, log }: ShapeSumsOptions): DerivedProduct {
  const nextVersion = createVersionCounter(nowMs)
  const startRun = (region: DerivedRegion, { failed }: DerivedRun): { run: CubeRun; cubes: CubeRegion } => ({
    run: { state, facts, log, layers, nextVersion, failed, at: new Date(nowMs()) },
    cubes: toCubeRegion(region.scope, region),
  })
  return {
    name: shapeSums,
    description: 'Sums of shapes by hour and day: facts of the fleet to shape_hours and shape_day_hours',
    settleMs: 20 * 60_000,
    // Meanwhile, maps read the day from facts.
    settleAgainMs: 60 * 60_000,
    maxSpans: maxSpanHours,
    watches: ['layer', 'shape'],
    async derive(region, spans, context, layerId) {
      const { run, cubes } = startRun(region, context)
      const synced = await syncLayers(run, cubes)
      const first = parseHourSpan(spans[0] ?? '') - maxSpanHours * hourMs
      const portion = spans.filter((span) => parseHourSpan(span) > first)
      const hours = portion.map(parseHourSpan)
      if (!layerId) {
        await computeLayers(run, cubes, synced, hours)
        return portion
      }
      // Hours of a layer that failed before.
      const failedLayer = synced.find(({ row }) => row.layer_id === layerId)
      if (!failedLayer) return portion
      if (!(await computeLayerHours(run, cubes, failedLayer, hours))) return []
      const owner = { product: shapeSums, regionId: cubes.regionId, part: layerId }
      // The runner finishes this portion's spans after it returns, so they are still dirty here.
      const dirty = await listDirty(state, cubes.scope, owner, { limit: portion.length + 1 })
      if (dirty.length <= portion.length) await recoverLayer(run, cubes, failedLayer)
      return portion
    },
    async advance(region, context) {
      const { run, cubes } = startRun(region, context)
      await markEndedHours(run, cubes)
      const synced = await syncLayers(run, cubes)
      if (await fillOneMonth(run, cubes, synced)) return true
      const dirty = await listDirtyParts(state, cubes.scope, { product: shapeSums, regionId: cubes.regionId })
      for (const layer of synced)
        if (!dirty.has(layer.row.layer_id) && !run.failed.has(layer.row.layer_id))
          await recoverLayer(run, cubes, layer)
      await sweepCubes(run, cubes)
      return false
    },
  }
}
