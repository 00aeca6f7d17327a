import type { DerivedProduct, DerivedRegion, DerivedRun } from '#server/derived/derived-product.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { createVersionCounter } from '#server/stores/version-counter.ts'
import { computeHours } from './compute-hours.ts'
import { computeLayerHours, computeLayers } from './compute-layers.ts'
import { floorToHour, hourMs } from './cube-clock.ts'
import { updateCubeLayer } from './cube-layers.ts'
import { type CubeRegion, cubeRegion } from './cube-region.ts'
import { type CubeRun, errorMessage } from './cube-run.ts'
import { dirtyParts, listDirty } from '#server/derived/dirty-spans.ts'
import { hourOfSpan, markHoursDirty, shapeSums } from './dirty-hours.ts'
import type { ReadyLayers } from './ready-layer.ts'
import { sweepCubes } from './sweep-cubes.ts'
import { syncLayers, type SyncedLayer } from './sync-layers.ts'

/** The begin of the month (UTC) that the last hour before a moment is in, as an hour of the region's clock, ms; not before `from`. */
export function monthStart(until: number, from: number, shift: number): number {
  const last = new Date(until - hourMs)
  return Math.max(from, floorToHour(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1), shift))
}

/**
 * Computes a month of the first layer that has shapes which nobody has computed yet, the newest month that is left. What the layer had before
 * its change stays as it is. Cut off, the month is computed again. Answers whether there was one.
 */
async function fillOneMonth(
  run: CubeRun,
  region: CubeRegion,
  layers: readonly SyncedLayer[],
): Promise<boolean> {
  const next = layers.find(
    ({ row, layer }) => layer && row.missing.length > 0 && !run.failed.has(row.layer_id),
  )
  if (!next?.layer) return false
  const { row, layer } = next
  const { state, facts, nextVersion, at, log } = run
  const [from, until] = [row.fill_from?.getTime() ?? 0, row.fill_until?.getTime() ?? 0]
  const begin = monthStart(until, from, region.shift)
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
    log('cubes of a layer', { regionId: region.regionId, layerId: row.layer_id, error: errorMessage(error) })
    await updateCubeLayer(state.as(region.scope), row, {
      status: 'failed',
      problem: errorMessage(error),
      changed_time: at,
    })
  }
  return true
}

/** Marks each hour that has ended since the last run: parked vehicles have no events. */
async function markEndedHours({ state, at }: CubeRun, { regionId, scope, shift }: CubeRegion): Promise<void> {
  const until = floorToHour(at.getTime(), shift)
  const known = await state
    .as(scope)
    .selectFrom('cube_region')
    .select('ended_until')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  const from = known?.ended_until.getTime() ?? until
  const hours = Array.from(
    { length: Math.max(0, Math.ceil((until - from) / hourMs)) },
    (_, back) => until - (back + 1) * hourMs,
  )
  if (known && !hours.length) return
  await markHoursDirty(state, scope, regionId, hours, at)
  await state
    .as(scope)
    .insertInto('cube_region')
    .values({ region_id: regionId, ended_until: new Date(until) })
    .onConflict((conflict) => conflict.column('region_id').doUpdateSet({ ended_until: new Date(until) }))
    .execute()
}

/** A layer that failed is ready again once nothing of it is dirty or to be filled. */
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
  /** Ms since 1970. */
  now: () => number
  log: Log
}

/**
 * Hours of one portion lie within a week: the facts between them are read. A query takes a quarter of a second of CPU time before it
 * reads any, so that days of their own would take longer.
 */
const maxSpanHours = 7 * 24

/**
 * The sums of each shape by hour and by day (decision 011). Reads trips, parking events, drop-offs and intervals; writes `shape_hours` and
 * `shape_day_hours`; rows that were not found again are withdrawn. An hour is computed once it is over; late records within 20 minutes,
 * or within an hour if it was computed before, are one computation, and until then maps ask the facts for its day. New shapes are filled a month at a time.
 */
export function createShapeSums({ state, facts, layers, now, log }: ShapeSumsOptions): DerivedProduct {
  const nextVersion = createVersionCounter(now)
  const open = (region: DerivedRegion, { failed }: DerivedRun): { run: CubeRun; of: CubeRegion } => ({
    run: { state, facts, log, layers, nextVersion, failed, at: new Date(now()) },
    of: cubeRegion(region.scope, region),
  })
  return {
    name: shapeSums,
    description: 'Sums of shapes by hour and day: facts of the fleet to shape_hours and shape_day_hours',
    settleMs: 20 * 60_000,
    // Maps ask the facts for its day meanwhile.
    settleAgainMs: 60 * 60_000,
    maxSpans: maxSpanHours,
    watches: ['layer', 'shape'],
    async derive(region, spans, context, layerId) {
      const { run, of } = open(region, context)
      const synced = await syncLayers(run, of)
      const first = hourOfSpan(spans[0] ?? '') - maxSpanHours * hourMs
      const portion = spans.filter((span) => hourOfSpan(span) > first)
      const hours = portion.map(hourOfSpan)
      if (!layerId) {
        await computeLayers(run, of, synced, hours)
        return portion
      }
      const own = synced.find(({ row }) => row.layer_id === layerId)
      if (!own) return portion
      if (!(await computeLayerHours(run, of, own, hours))) return []
      const owner = { product: shapeSums, regionId: of.regionId, part: layerId }
      const left = await listDirty(state, of.scope, owner, portion.length + 1)
      if (left.length <= portion.length) await recoverLayer(run, of, own)
      return portion
    },
    async advance(region, context) {
      const { run, of } = open(region, context)
      await markEndedHours(run, of)
      const synced = await syncLayers(run, of)
      if (await fillOneMonth(run, of, synced)) return true
      const dirty = await dirtyParts(state, of.scope, { product: shapeSums, regionId: of.regionId })
      for (const each of synced)
        if (!dirty.has(each.row.layer_id) && !run.failed.has(each.row.layer_id))
          await recoverLayer(run, of, each)
      await sweepCubes(run, of)
      return false
    },
  }
}
