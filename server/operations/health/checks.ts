import { getLiveness, getReadiness, type serverComponents } from '#contract/operations.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import type { FindViewer } from '#server/http/viewer.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { hasToken } from '../has-token.ts'
import type { ComponentCheck, Readiness } from './readiness.ts'

/** Creates the checks of the server's components. */
export function createComponentChecks({
  state,
  facts,
  jobs,
}: {
  state: State
  facts: Facts
  jobs: Jobs
}): Record<(typeof serverComponents)[number], ComponentCheck> {
  return {
    // Always valid, because the server does not start with invalid settings.
    config: () => Promise.resolve('valid'),
    migrations: async () => {
      const pending = [
        ...(await state.maintenance.pendingMigrations()),
        ...(await facts.maintenance.pendingMigrations()),
      ]
      if (pending.length) throw new Error(`missing: ${pending.join(', ')}`)
      return 'complete'
    },
    state: async () => `PostgreSQL ${await state.maintenance.version()}`,
    facts: async () => `ClickHouse ${await facts.maintenance.version()}`,
    jobs: async () => {
      if (!jobs.isRunning) throw new Error('stopped')
      return 'running'
    },
  }
}

/** Returns the health checks for supervisors and proxies. */
export function healthRoutes(readiness: Readiness, token: string | null, getViewer: FindViewer): Route[] {
  const canSeeDetails = async (headers: Headers): Promise<boolean> => {
    if (hasToken(headers.get('authorization'), token)) return true
    if (!headers.has('authorization') && !headers.has('cookie')) return false
    // Errors are ignored, because the state store with the users may be the component that does not respond.
    const viewer = await getViewer(headers).catch(() => null)
    return viewer !== null && viewer.allRegions && viewer.permissions.includes('is_admin')
  }
  return [
    route(getLiveness, () => ({ status: 'alive' as const })),
    route(getReadiness, async ({ headers }) => {
      const { status, components } = await readiness.read()
      const visibleComponents = (await canSeeDetails(headers))
        ? components
        : components.map(({ component, ok }) => ({ component, ok }))
      const body = { status, components: visibleComponents }
      if (status === 'ready') return body
      return new RawResponse(
        Buffer.from(JSON.stringify(body)),
        { 'content-type': 'application/json; charset=utf-8', 'retry-after': '5' },
        503,
      )
    }),
  ]
}
