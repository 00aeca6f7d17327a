import { regionScope, systemScope } from '#server/identity/scope.ts'
import { createIntervalJob, type IntervalJob } from '#server/jobs/interval-job.ts'
import type { Log } from '#server/jobs/log.ts'
import { countFactsVersion } from '#server/regions/facts-version.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { daysWithoutVolumes } from '../queries/segment-changes.ts'
import { computeSegmentVolumes } from './compute-segment-volumes.ts'
import { clearDirtyRouteDays, markRouteDaysDirty, listDirtyRouteDays } from './dirty-route-days.ts'

interface RouteVolumesJobOptions {
  state: State
  facts: Facts
  /** Ms since 1970. */
  now: () => number
  log: Log
}

const intervalMs = 30_000

/** The job of the segment volumes: local days that wait are computed again, the newest first, region by region. */
export function createRouteVolumesJob({ state, facts, now, log }: RouteVolumesJobOptions): IntervalJob {
  const checkedRegions = new Set<string>()

  /** Days of before this process that nobody counted. */
  const markUncountedDays = async (scope: Scope, regionId: string): Promise<void> => {
    if (checkedRegions.has(regionId)) return
    const days = await facts.rows<{ day: string }>(scope, daysWithoutVolumes(regionId), {
      limits: { seconds: 300 },
    })
    await markRouteDaysDirty(
      state,
      scope,
      regionId,
      days.map(({ day }) => day),
      BigInt(now()) * 1000n,
    )
    checkedRegions.add(regionId)
  }
  const processDirtyDays = async (scope: Scope, regionId: string, signal: AbortSignal): Promise<void> => {
    await markUncountedDays(scope, regionId)
    for (
      let days = await listDirtyRouteDays(state, scope, regionId);
      days.length && !signal.aborted;
      days = await listDirtyRouteDays(state, scope, regionId)
    ) {
      await computeSegmentVolumes(
        facts,
        scope,
        regionId,
        days.map(({ day }) => day),
      )
      await clearDirtyRouteDays(state, scope, regionId, days)
      await countFactsVersion(state, scope, regionId)
    }
  }
  return createIntervalJob({
    name: 'route volumes',
    intervalMs,
    log,
    async run(signal) {
      const regions = await state
        .as(systemScope)
        .selectFrom('region')
        .select(['region_id', 'organization_id'])
        .orderBy('region_id')
        .execute()
      for (const { region_id: regionId, organization_id: organizationId } of regions) {
        if (signal.aborted) return
        // A failing region does not hold up the others.
        await processDirtyDays(regionScope(organizationId, regionId), regionId, signal).catch(
          (error: unknown) =>
            log('route volumes', { regionId, error: error instanceof Error ? error.message : String(error) }),
        )
      }
    },
  })
}
