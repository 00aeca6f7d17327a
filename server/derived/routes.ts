import { getServerWork } from '#contract/server-work.ts'
import { type Route, route } from '#server/http/route.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Derivation } from './derivation.ts'

export const derivedRoutes = (derivation: Derivation, facts: Facts): Route[] => [
  route(getServerWork, async ({ viewer }) => ({
    derived: (await derivation.progress(viewer.scope)).map(
      ({ product, description, dirty, since, portions, ms, lastProblem }) => ({
        product,
        description,
        dirty,
        dirty_since: since === null ? null : new Date(since).toISOString(),
        portions,
        worked_ms: ms,
        last_problem: lastProblem,
      }),
    ),
    queries: facts.queryCounts().map(({ caller, queriesPerMinute, msPerMinute }) => ({
      caller,
      queries_per_minute: queriesPerMinute,
      ms_per_minute: msPerMinute,
    })),
  })),
]
