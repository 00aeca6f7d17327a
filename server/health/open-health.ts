import { setTimeout as wait } from 'node:timers/promises'
import { addDays } from '#contract/period.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { Route } from '#server/http/route.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Notifications } from '#server/notifications/open-notifications.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '#server/identity/scope.ts'
import { findRegionsWithFeeds } from './health-region.ts'
import { applyMeasures } from './incidents/apply-measures.ts'
import { createIncidentKind } from './incidents/incident-kind.ts'
import { measureRegion } from './incidents/measure-region.ts'
import { DayCounts } from './day-counts.ts'
import { healthRoutes } from './routes.ts'

export interface OpenHealth {
  routes: Route[]
  /** Counts of days, shared with other rooms. */
  dayCounts: DayCounts
  /** Evaluates the rules for all regions: opens and closes incidents and queues mails about them. */
  evaluateRules(at: Date, stop?: AbortSignal): Promise<void>
}

/** The longest pause after a region, short enough that all regions are evaluated within minutes. */
const maxPauseMs = 2000
/** The number of days for which counts are stored, unless the region limits retention. */
const storedDays = 460

/** Opens the data health of all regions. */
export function openHealth({
  state,
  facts,
  notifications,
  log,
}: {
  state: State
  facts: Facts
  notifications: Notifications
  log: Log
}): OpenHealth {
  notifications.add(createIncidentKind(state))
  const health = { state, facts, dayCounts: new DayCounts(state, facts) }

  const evaluateRules: OpenHealth['evaluateRules'] = async (at, stop) => {
    for (const region of await findRegionsWithFeeds(state)) {
      if (stop?.aborted) return
      const beginMs = performance.now()
      // A region that fails must not stop the others.
      await measureRegion(health, region, at.getTime())
        .then((measures) => applyMeasures(state, region, measures, at))
        .catch((error: unknown) =>
          log('data health could not be updated', {
            regionId: region.regionId,
            error: getErrorMessage(error),
          }),
        )
      // Leaves the stores to requests, as the runner of derived data does.
      await wait(
        Math.min(performance.now() - beginMs, maxPauseMs),
        undefined,
        stop ? { signal: stop } : {},
      ).catch(() => undefined)
    }
    await state
      .as(systemScope)
      .deleteFrom('health_day')
      .where('day', '<', addDays(at.toISOString().slice(0, 10), -storedDays))
      // Counts of regions with a retention limit remain: their records cannot be counted again.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('retention_limit')
              .select('category')
              .whereRef('retention_limit.region_id', '=', 'health_day.region_id'),
          ),
        ),
      )
      .execute()
  }

  return { routes: healthRoutes(health), dayCounts: health.dayCounts, evaluateRules }
}
