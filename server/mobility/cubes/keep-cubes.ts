import { regionScope, systemScope } from '#server/identity/scope.ts'
import { keep, type Keeper } from '#server/jobs/keeper.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type CubeRegion, cubeRegion } from './cube-region.ts'
import { type Cubing, problemOf } from './cubing.ts'
import { fillOneMonth } from './fill-layer.ts'
import { noteEndedHours } from './note-ended-hours.ts'
import type { ReadyLayers } from './ready-layer.ts'
import { sweepCubes } from './sweep-cubes.ts'
import { syncLayers } from './sync-layers.ts'
import { workOffHours } from './work-off-hours.ts'

export interface CubeKeeping {
  state: State
  facts: Facts
  layers: ReadyLayers
  /** Ms since 1970. */
  now: () => number
  log: Log
}

/** The first minute after a start is for those who look at a map. */
const everyMs = 60_000

/**
 * The cubes' keeper. Hours that wait are computed a day's worth at a time, new shapes a month at a time, region by region in turns: whatever is cut off
 * is written down and done again.
 */
export function keepCubes({ state, facts, layers, now, log }: CubeKeeping): Keeper {
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
  const turn = async (region: CubeRegion, failed: Set<string>, signal: AbortSignal): Promise<boolean> => {
    const cubing: Cubing = { state, facts, log, layers, nextVersion, failed, at: new Date(now()) }
    await noteEndedHours(cubing, region)
    const kept = await syncLayers(cubing, region)
    const hasHours = await workOffHours(cubing, region, kept)
    const hasMonths = !signal.aborted && (await fillOneMonth(cubing, region, kept))
    if (hasHours || hasMonths) return true
    await sweepCubes(cubing, region)
    return false
  }
  return keep({
    name: 'cubes',
    everyMs,
    log,
    async run(signal, rest) {
      const failed = new Set<string>()
      let waiting = await regions()
      while (waiting.length && !signal.aborted) {
        const busy: CubeRegion[] = []
        for (const region of waiting) {
          if (signal.aborted) return
          const begin = performance.now()
          // One region that cannot be kept does not keep the others from it.
          const isMore = await turn(region, failed, signal).catch((error: unknown) => {
            log('cubes', { regionId: region.regionId, error: problemOf(error) })
            return false
          })
          if (!isMore) continue
          busy.push(region)
          await rest(performance.now() - begin)
        }
        waiting = busy
      }
    },
  })
}
