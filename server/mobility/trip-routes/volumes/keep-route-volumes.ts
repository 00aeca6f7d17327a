import { regionScope, systemScope } from '#server/identity/scope.ts'
import { createIntervalJob, type IntervalJob } from '#server/jobs/interval-job.ts'
import type { Log } from '#server/jobs/log.ts'
import { countFactsVersion } from '#server/regions/facts-version.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { uncountedDays } from '../queries/segment-changes.ts'
import { computeRouteDays } from './compute-route-days.ts'
import { forgetRouteDays, noteRouteDays, waitingRouteDays } from './route-days.ts'

interface Keeping {
  state: State
  facts: Facts
  /** Ms since 1970. */
  now: () => number
  log: Log
}

const everyMs = 30_000

/** The keeper of the segment volumes: local days that wait are computed anew, the newest first, region by region. */
export function keepRouteVolumes({ state, facts, now, log }: Keeping): IntervalJob {
  const looked = new Set<string>()

  /** Days of before this process that nobody counted. */
  const noteUncounted = async (scope: Scope, regionId: string): Promise<void> => {
    if (looked.has(regionId)) return
    const days = await facts.rows<{ day: string }>(scope, uncountedDays(regionId), {
      limits: { seconds: 300 },
    })
    await noteRouteDays(
      state,
      scope,
      regionId,
      days.map(({ day }) => day),
      BigInt(now()) * 1000n,
    )
    looked.add(regionId)
  }
  const workOff = async (scope: Scope, regionId: string, signal: AbortSignal): Promise<void> => {
    await noteUncounted(scope, regionId)
    for (
      let days = await waitingRouteDays(state, scope, regionId);
      days.length && !signal.aborted;
      days = await waitingRouteDays(state, scope, regionId)
    ) {
      await computeRouteDays(
        facts,
        scope,
        regionId,
        days.map(({ day }) => day),
      )
      await forgetRouteDays(state, scope, regionId, days)
      await countFactsVersion(state, scope, regionId)
    }
  }
  return createIntervalJob({
    name: 'route volumes',
    intervalMs: everyMs,
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
        // One region that cannot be kept does not keep the others from it.
        await workOff(regionScope(organizationId, regionId), regionId, signal).catch((error: unknown) =>
          log('route volumes', { regionId, error: error instanceof Error ? error.message : String(error) }),
        )
      }
    },
  })
}
