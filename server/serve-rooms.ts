import type { FastifyInstance } from 'fastify'
import { endpoints } from '#contract/endpoints.ts'
import { createExternalCallers } from './api-keys/external-callers.ts'
import { basemapRoutes } from './basemap/routes.ts'
import { chargeRoutes } from './billing/charges/routes.ts'
import { curbRevenueRoutes } from './billing/curb/routes.ts'
import { invoiceRoutes } from './billing/invoices/routes.ts'
import { feeRoutes } from './billing/routes.ts'
import { complianceRoutes } from './compliance/routes.ts'
import { serverWorkRoutes } from './derived/routes.ts'
import { evaluationRoutes } from './evaluation/routes.ts'
import { createRawPushStore } from './feeds/agency/agency.ts'
import { serveAgency } from './feeds/agency/serve-agency.ts'
import { openCds } from './feeds/cds/open-cds.ts'
import { gbfsRoutes } from './feeds/gbfs/gbfs-routes.ts'
import { cubeRoutes } from './fleet/cubes/cube-routes.ts'
import { geographyRoutes } from './geography/routes.ts'
import { Admission } from './http/admission.ts'
import { createGuardedCheck, createGuardedFetch } from './http/guarded-fetch.ts'
import { limitPublicCalls } from './http/limit-public-calls.ts'
import type { Route } from './http/route.ts'
import { serveEndpoints } from './http/serve.ts'
import { serveDocs } from './http/serve-docs.ts'
import { serveLogos } from './http/serve-logos.ts'
import type { FindViewer } from './http/viewer.ts'
import { openWebApp } from './http/web-app.ts'
import { cacheViewers } from './identity/cache-viewers.ts'
import { findViewer } from './identity/find-viewer.ts'
import { createPasswordLink } from './identity/create-password-link.ts'
import { identityRoutes } from './identity/routes.ts'
import { serveAuth } from './identity/serve-auth.ts'
import { ssoRoutes } from './identity/sso/routes.ts'
import { serveSso } from './identity/sso/serve-sso.ts'
import { openSso } from './identity/sso/sso.ts'
import { createAuditor } from './identity/write-audit.ts'
import { importRoutes } from './imports/routes.ts'
import { importSlots } from './imports/run-import.ts'
import { ReadAhead } from './imports/trips/read-ahead.ts'
import { issueRoutes } from './issues/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { serveDevMail } from './mail/serve-dev-mail.ts'
import { webhookRoutes } from './notifications/events/routes.ts'
import type { Platform } from './open-platform.ts'
import type { Rooms } from './open-rooms.ts'
import { watchHttp } from './operations/health/watch-http.ts'
import { openOperations } from './operations/open-operations.ts'
import { listManagedOperators } from './operators/manage-operators.ts'
import { operatorRoutes } from './operators/routes.ts'
import { policyRoutes } from './policies/routes.ts'
import { regionRoutes } from './regions/routes.ts'
import { serveMdsMetrics } from './reporting/mds-metrics/serve-mds-metrics.ts'
import { reportingRoutes } from './reporting/routes.ts'
import { tripRouteRoutes } from './routes/routes.ts'
import { watchDisk } from './stores/disk-full.ts'
import { userRoutes } from './users/routes.ts'
import { weatherRoutes } from './weather/routes.ts'

/** A demo user with credentials that the sign-in page offers. */
export interface ShownSignIn {
  email: string
  password: string
  role: string
}

interface HttpOptions {
  webRoot: string
  signIns: readonly ShownSignIn[]
}

/** The HTTP server of all rooms and the services that only it uses. */
export type HttpServer = Awaited<ReturnType<typeof serveRooms>>

/**
 * Creates the HTTP server, which does not listen yet, with the web app and the routes of all rooms.
 *
 * `…Routes` return the endpoints of the contract, which `serveEndpoints` serves. `serve…` serve what is not in the
 * contract, such as the APIs of the standards. `open…` open a service that has both.
 */
export async function serveRooms(platform: Platform, rooms: Rooms, { webRoot, signIns }: HttpOptions) {
  const { config, log, now, startup, state, facts, blobs, secretBox, auth } = platform
  const { apiKeys } = rooms
  const http = await startup.step('web app', () => openWebApp(webRoot, log, config))
  watchHttp(http, log, config.logRequests)
  limitPublicCalls(http, now, { counters: rooms.counters.addresses })
  const disk = watchDisk(config.dataDir, log)
  serveAuth(http, auth, { disk, log })
  serveDevMail(http, platform.sentMessages)
  serveLogos(http, blobs)
  platform.basemap.serve(http)
  serveAgency(http, {
    state,
    facts,
    fleetIngest: rooms.fleetIngest,
    storeRaw: createRawPushStore(blobs),
    gate: apiKeys.gate,
    log,
    now,
  })
  const sso = openSso({
    state,
    auth,
    secretBox,
    fetch: createGuardedFetch(config),
    publicUrl: config.publicUrl,
    log,
  })
  serveDocs(http, endpoints)
  const getViewer = cacheViewers(state, (headers) => findViewer(auth, state, headers), now)
  const admission = new Admission()
  const operations = openOperationsRoom(platform, rooms, { http, getViewer })
  serveMdsMetrics(http, {
    state,
    facts,
    membership: platform.membership,
    admission,
    gate: apiKeys.gate,
    log,
    now,
  })
  const cds = openCdsApis(platform, rooms, admission)
  cds.serve(http)
  const readAhead = new ReadAhead(blobs, importSlots)
  const routes = [
    ...identityRoutes(state, signIns, disk, admission),
    ...ssoRoutes(sso),
    ...operations.routes,
    ...cds.routes,
    ...listRoutes(platform, rooms, { getViewer, readAhead }),
  ]
  serveEndpoints(http, routes, {
    getViewer,
    externalCallers: createExternalCallers(apiKeys.gate),
    publicUrl: config.publicUrl,
    log,
    admission,
    onDone: createAuditor(state, log),
  })
  serveSso(http, sso, now)
  return { http, operations, readAhead }
}

const openOperationsRoom = (
  platform: Platform,
  { compliance, live }: Rooms,
  { http, getViewer }: { http: FastifyInstance; getViewer: FindViewer },
) =>
  openOperations({
    config: platform.config,
    http,
    getViewer,
    state: platform.state,
    facts: platform.facts,
    compliance,
    blobs: platform.blobs,
    jobs: platform.jobs,
    derivation: platform.derivation,
    live,
    auth: platform.auth,
    log: platform.log,
    now: platform.now,
  })

const openCdsApis = (
  { config, state, facts, log, now }: Platform,
  { curb, fleetIngest, apiKeys, keySettings }: Rooms,
  admission: Admission,
) =>
  openCds({
    state,
    facts,
    sessions: curb.sessions,
    indexes: curb.indexes,
    pushedPayments: curb.payments.pushed,
    fleetIngest,
    admission,
    gate: apiKeys.gate,
    keySettings,
    publicUrl: config.publicUrl,
    log,
    now,
  })

interface RouteServices {
  getViewer: FindViewer
  readAhead: ReadAhead
}

/** Lists the routes of the rooms, except those that belong to a service which `serveRooms` opens. */
function listRoutes(platform: Platform, rooms: Rooms, { getViewer, readAhead }: RouteServices): Route[] {
  const { config, log, now, state, facts, blobs, secretBox, auth, jobs, mail, membership, derivation } =
    platform
  const { publicUrl, dataDir } = config
  const { curb, compliance, fees, payerFees, notifications, keySettings, reportFacts } = rooms
  return [
    ...regionRoutes(state),
    ...userRoutes({
      state,
      publicUrl,
      send: mail.send,
      sendsMail: config.smtpUrl !== null,
      createPasswordLink: (link) => createPasswordLink(auth, config, link),
      listOperators: async (viewer) =>
        (await listManagedOperators({ state, facts }, viewer)).map(({ slug }) => slug),
    }),
    ...rooms.apiKeys.routes,
    ...webhookRoutes({ state, secretBox, notifications, checkAddress: createGuardedCheck(config) }),
    ...operatorRoutes(state, facts),
    ...geographyRoutes({ state, nowMs: Date.now, membership, dependents: rooms.dependents, blobs }),
    ...basemapRoutes({ state, basemap: platform.basemap, dataDir }),
    ...cubeRoutes(state),
    ...serverWorkRoutes(derivation, jobs, facts),
    ...importRoutes({ state, facts, jobs, ahead: readAhead, blobs, dataDir, now }),
    ...curb.routes(getViewer),
    ...liveRoutes({ state, facts, live: rooms.live, getViewer }),
    ...tripRouteRoutes(state, facts),
    ...issueRoutes(state),
    ...weatherRoutes(state),
    ...complianceRoutes(compliance),
    ...feeRoutes(fees, payerFees, state),
    ...curbRevenueRoutes({ state, facts, indexes: curb.indexes, sessions: curb.sessions }),
    ...chargeRoutes({ state, facts }),
    ...invoiceRoutes({ state, facts, fees: payerFees, secretBox, notifications, publicUrl, dataDir, log }),
    ...reportingRoutes({ state, facts, reports: reportFacts, publicUrl, keySettings }),
    ...rooms.reportSchedules.routes,
    ...rooms.exports.routes,
    ...rooms.alerts.routes,
    ...policyRoutes({ state, facts, nowMs: Date.now, publicUrl, fetch: createGuardedFetch(config) }),
    ...gbfsRoutes(state, publicUrl),
    ...rooms.feeds.routes,
    ...rooms.health.routes,
    ...evaluationRoutes(state, facts, rooms.evaluator),
  ]
}
