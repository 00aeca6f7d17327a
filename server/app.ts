import type { FastifyInstance } from 'fastify'
import { endpoints } from '#contract/endpoints.ts'
import type { Config } from './config.ts'
import { evaluationRoutes } from './evaluation/routes.ts'
import { LayerMembership } from './geography/layer-membership.ts'
import { geographyRoutes } from './geography/routes.ts'
import type { Log } from './jobs/log.ts'
import { serve } from './http/serve.ts'
import { serveDocs } from './http/serve-docs.ts'
import { openWebApp } from './http/web-app.ts'
import { type Auth, openAuth } from './identity/auth.ts'
import { findViewer } from './identity/find-viewer.ts'
import { identityRoutes } from './identity/routes.ts'
import { serveAuth } from './identity/serve-auth.ts'
import { auditOf } from './identity/write-audit.ts'
import { importTripsJob } from './ingest/import-trips-job.ts'
import { ingestRoutes } from './ingest/routes.ts'
import { type Runner, startRunner } from './jobs/runner.ts'
import { operatorRoutes } from './operators/routes.ts'
import { regionRoutes } from './regions/routes.ts'
import type { Facts } from './stores/facts.ts'
import { openSecretBox } from './stores/secret-box.ts'
import { openFacts } from './stores/open-facts.ts'
import { openState, type State } from './stores/state.ts'

/** The whole application, not yet listening. */
export interface App {
  http: FastifyInstance
  state: State
  facts: Facts
  auth: Auth
  runner: Runner
  membership: LayerMembership
  close(): Promise<void>
}

/** Opens both stores and serves every room's routes. `signIns`: the demo's, to be shown on the sign-in page. */
export async function openApp(config: Config, webRoot: string, log: Log, signIns: readonly { email: string; password: string; role: string }[] = []): Promise<App> {
  const [state, facts] = await Promise.all([openState(config), openFacts(config)])
  const auth = await openAuth(state, config, openSecretBox(config))
  const runner = await startRunner(state, log)
  const membership = new LayerMembership(state, facts)
  const http = await openWebApp(webRoot, log)
  serveAuth(http, auth)
  await serveDocs(http, endpoints)
  const routes = [
    ...identityRoutes(state, signIns),
    ...regionRoutes(state),
    ...operatorRoutes(state, facts),
    ...geographyRoutes(state, membership, config.dataDir),
    ...ingestRoutes({ state, facts, runner, dataDir: config.dataDir }),
    ...evaluationRoutes(state, facts, membership),
  ]
  serve(http, routes, { viewerOf: (headers) => findViewer(auth, state, headers), log, onDone: auditOf(state, log) })
  await runner.work(importTripsJob(state, facts, log))
  return {
    http, state, facts, auth, runner, membership,
    async close() {
      await http.close()
      await runner.stop()
      await facts.close()
      await state.close()
    },
  }
}
