import type { FastifyInstance } from 'fastify'
import { endpoints } from '#contract/endpoints.ts'
import type { Config } from './config.ts'
import { evaluationRoutes } from './evaluation/routes.ts'
import { LayerMembership } from './geography/layer-membership.ts'
import { geographyRoutes } from './geography/routes.ts'
import type { Log } from './jobs/log.ts'
import { guardedFetch } from './http/guarded-fetch.ts'
import { serve } from './http/serve.ts'
import { serveDocs } from './http/serve-docs.ts'
import { serveLogos } from './http/serve-logos.ts'
import { openWebApp } from './http/web-app.ts'
import { type Auth, openAuth } from './identity/auth.ts'
import { findViewer } from './identity/find-viewer.ts'
import { identityRoutes } from './identity/routes.ts'
import { makePasswordLink } from './identity/make-password-link.ts'
import { serveAuth } from './identity/serve-auth.ts'
import { openSso } from './identity/sso/open-sso.ts'
import { ssoRoutes } from './identity/sso/routes.ts'
import { serveSso } from './identity/sso/serve-sso.ts'
import { auditOf } from './identity/write-audit.ts'
import { importTripsJob } from './ingest/import-trips-job.ts'
import { ingestRoutes } from './ingest/routes.ts'
import { openBackground } from './jobs/background.ts'
import { type Runner, startRunner } from './jobs/runner.ts'
import { openMail } from './mail/open-mail.ts'
import { openSms } from './mail/open-sms.ts'
import { Outbox } from './mail/outbox.ts'
import { serveDevMail } from './mail/serve-dev-mail.ts'
import { operatorRoutes } from './operators/routes.ts'
import { regionRoutes } from './regions/routes.ts'
import type { Facts } from './stores/facts.ts'
import { openSecretBox } from './stores/secret-box.ts'
import { openFacts } from './stores/open-facts.ts'
import { openState, type State } from './stores/state.ts'
import { userRoutes } from './users/routes.ts'

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
  const now = (): Date => new Date()
  const box = openSecretBox(config)
  const outbox = config.development ? new Outbox() : null
  const background = openBackground(log)
  const mail = openMail(config, log, outbox, now)
  const auth = await openAuth({ state, config, box, mail, sms: openSms(config, log, outbox, now), background, log, now })
  const runner = await startRunner(state, log)
  const membership = new LayerMembership(state, facts)
  const http = await openWebApp(webRoot, log, config)
  serveAuth(http, auth)
  serveDevMail(http, outbox)
  serveLogos(http, config.dataDir)
  const sso = openSso({ state, auth, box, fetch: guardedFetch(config), publicUrl: config.publicUrl, log })
  await serveDocs(http, endpoints)
  const routes = [
    ...identityRoutes(state, signIns),
    ...ssoRoutes(sso),
    ...regionRoutes(state),
    ...userRoutes({ state, publicUrl: config.publicUrl, send: mail.send, passwordLink: (...of) => makePasswordLink(auth, config, ...of) }),
    ...operatorRoutes(state, facts),
    ...geographyRoutes(state, membership, config.dataDir),
    ...ingestRoutes({ state, facts, runner, dataDir: config.dataDir }),
    ...evaluationRoutes(state, facts, membership),
  ]
  serve(http, routes, { viewerOf: (headers) => findViewer(auth, state, headers), publicUrl: config.publicUrl, log, onDone: auditOf(state, log) })
  serveSso(http, sso, now)
  await runner.work(importTripsJob(state, facts, log))
  return {
    http, state, facts, auth, runner, membership,
    async close() {
      await http.close()
      await background.settled()
      await runner.stop()
      await facts.close()
      await state.close()
    },
  }
}
