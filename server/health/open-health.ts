import type { Route } from '#server/http/route.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Notifications } from '#server/notifications/open-notifications.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { dayFromNumber, dayNumber } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { regionsWithFeeds } from './health-region.ts'
import { applyMeasures } from './incidents/apply-measures.ts'
import { incidentKind } from './incidents/incident-kind.ts'
import { lookAtRegion } from './incidents/look-at-region.ts'
import { KeptDays } from './kept-days.ts'
import { healthRoutes } from './routes.ts'

export interface OpenHealth {
  routes: Route[]
  /** Counts of days: what else asks what feeds told shares them. */
  kept: KeptDays
  /** Evaluates the rules for every region: incidents open and close, mails about them are queued. */
  look(at: Date, stop?: AbortSignal): Promise<void>
}

/** Days for which counts are kept. */
const keptDays = 460

/** Data health of all regions. */
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
  notifications.add(incidentKind(state))
  const health = { state, facts, kept: new KeptDays(state, facts) }

  const look: OpenHealth['look'] = async (at, stop) => {
    for (const region of await regionsWithFeeds(state)) {
      if (stop?.aborted) return
      // One region that cannot be looked at does not keep the others from it.
      await lookAtRegion(health, region, at.getTime())
        .then((measures) => applyMeasures(state, region, measures, at))
        .catch((error: unknown) =>
          log('data health', {
            regionId: region.regionId,
            error: error instanceof Error ? error.message : String(error),
          }),
        )
    }
    await state
      .as(systemScope)
      .deleteFrom('health_day')
      .where('day', '<', dayFromNumber(dayNumber(at.toISOString().slice(0, 10)) - keptDays))
      .execute()
  }

  return { routes: healthRoutes(health), kept: health.kept, look }
}
