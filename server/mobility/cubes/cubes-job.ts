import { regionScope, systemScope } from '#server/identity/scope.ts'
import { createIntervalJob, type IntervalJob } from '#server/jobs/interval-job.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type CubeRegion, cubeRegion } from './cube-region.ts'
import { type CubeRun, errorMessage } from './cube-run.ts'
import type { ReadyLayers } from './ready-layer.ts'
import { sweepCubes } from './sweep-cubes.ts'
import { syncLayers, type SyncedLayer } from './sync-layers.ts'
import { processDirtyHours } from './process-dirty-hours.ts'
import { hourMs, floorToHour } from './cube-clock.ts'
import { markHoursDirty } from './dirty-hours.ts'
import { computeHours } from './compute-hours.ts'
import { updateCubeLayer } from './cube-layers.ts'

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
  cubing: CubeRun,
  region: CubeRegion,
  layers: readonly SyncedLayer[],
): Promise<boolean> {
  const next = layers.find(
    ({ row, layer }) => layer && row.missing.length > 0 && !cubing.failed.has(row.layer_id),
  )
  if (!next?.layer) return false
  const { row, layer } = next
  const { state, facts, nextVersion, at, log } = cubing
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
    await updateCubeLayer(state, region.scope, row, {
      fill_until: new Date(begin),
      done_hours: row.total_hours - Math.round((begin - from) / hourMs),
      status: isFilled ? 'ready' : 'running',
      problem: null,
      changed_time: at,
      isFilled,
    })
  } catch (error) {
    cubing.failed.add(row.layer_id)
    log('cubes of a layer', { regionId: region.regionId, layerId: row.layer_id, error: errorMessage(error) })
    await updateCubeLayer(state, region.scope, row, {
      status: 'failed',
      problem: errorMessage(error),
      changed_time: at,
    })
  }
  return true
}

/** Notes each hour that has ended since the last time: vehicles that only stand write no event. */
async function markEndedHoursDirty(
  { state, nextVersion, at }: CubeRun,
  { regionId, scope, shift }: CubeRegion,
): Promise<void> {
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
  await markHoursDirty(state, scope, regionId, hours, nextVersion())
  await state
    .as(scope)
    .insertInto('cube_region')
    .values({ region_id: regionId, ended_until: new Date(until) })
    .onConflict((of) => of.column('region_id').doUpdateSet({ ended_until: new Date(until) }))
    .execute()
}

export interface CubesJobOptions {
  state: State
  facts: Facts
  layers: ReadyLayers
  /** Ms since 1970. */
  now: () => number
  log: Log
}

/** The first minute after a start is for those who look at a map. */
const intervalMs = 60_000

/**
 * The cubes' job. Hours that wait are computed a day's worth at a time, new shapes a month at a time, region by region in turns: whatever is cut off
 * is written down and done again.
 */
export function createCubesJob({ state, facts, layers, now, log }: CubesJobOptions): IntervalJob {
  let lastVersion = 0n

  const nextVersion = (): bigint => {
    const version = BigInt(now()) * 1000n
    lastVersion = version > lastVersion ? version : lastVersion + 1n
    return lastVersion
  }
  const regions = async (): Promise<CubeRegion[]> => {
    const rows = await state
      .as(systemScope)
      .selectFrom('region')
      .select(['region_id', 'organization_id', 'timezone', 'lost_after_hours'])
      .orderBy('region_id')
      .execute()
    return rows.map((row) => cubeRegion(regionScope(row.organization_id, row.region_id), row))
  }
  /** Whether there is more to do of a region. */
  const runRegion = async (
    region: CubeRegion,
    failed: Set<string>,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const cubing: CubeRun = { state, facts, log, layers, nextVersion, failed, at: new Date(now()) }
    await markEndedHoursDirty(cubing, region)
    const syncedLayers = await syncLayers(cubing, region)
    const hasHours = await processDirtyHours(cubing, region, syncedLayers)
    const hasMonths = !signal.aborted && (await fillOneMonth(cubing, region, syncedLayers))
    if (hasHours || hasMonths) return true
    await sweepCubes(cubing, region)
    return false
  }
  return createIntervalJob({
    name: 'cubes',
    intervalMs,
    log,
    async run(signal, pause) {
      const failed = new Set<string>()
      let waiting = await regions()
      while (waiting.length && !signal.aborted) {
        const unfinished: CubeRegion[] = []
        for (const region of waiting) {
          if (signal.aborted) return
          const begin = performance.now()
          // A failing region does not hold up the others.
          const hasMore = await runRegion(region, failed, signal).catch((error: unknown) => {
            log('cubes', { regionId: region.regionId, error: errorMessage(error) })
            return false
          })
          if (!hasMore) continue
          unfinished.push(region)
          await pause(performance.now() - begin)
        }
        waiting = unfinished
      }
    },
  })
}
