import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { endpoints } from '#contract/endpoints.ts'
import { invoiceRoutes } from './billing/invoices/routes.ts'
import { openBasemap } from './basemap/open-basemap.ts'
import { basemapRoutes } from './basemap/routes.ts'
import { findRecordsWith, openAlerts, type OpenAlerts } from './compliance/alerts/open-alerts.ts'
import { createRideSpeeds } from './compliance/days/speeds/ride-speeds-product.ts'
import { CurbFees } from './billing/curb/curb-fees.ts'
import { PayerFees } from './billing/curb/payer-fees.ts'
import { curbRevenueRoutes } from './billing/curb/routes.ts'
import { PolicyFees } from './billing/fee-days/policy-fees.ts'
import { feeDaysProduct } from './billing/fee-days/fee-days-product.ts'
import { chargeRoutes } from './billing/charges/routes.ts'
import { feeRoutes } from './billing/routes.ts'
import { complianceRoutes } from './compliance/routes.ts'
import { appVersion, type Config } from './config.ts'
import { type Curb, openCurb } from './curb/open-curb.ts'
import { curbDependents } from './curb/regulations/curb-dependents.ts'
import { openEvaluator } from './evaluation/evaluate.ts'
import { evaluationRoutes } from './evaluation/routes.ts'
import { createRawPushStore } from './feeds/agency/agency.ts'
import { externalCallers } from './api-keys/external-callers.ts'
import { type ApiKeys, openApiKeys } from './api-keys/open-api-keys.ts'
import { serveAgency } from './feeds/agency/serve-agency.ts'
import { openCds } from './feeds/cds/open-cds.ts'
import { feedDependents } from './feeds/feed-dependents.ts'
import { openFeeds, type OpenFeeds } from './feeds/open-feeds.ts'
import { openLiveFleet } from './feeds/open-live-fleet.ts'
import { Dependents } from './geography/dependents/dependents.ts'
import { LayerMembership } from './geography/membership/layer-membership.ts'
import { openHealth, type OpenHealth } from './health/open-health.ts'
import { geographyRoutes } from './geography/routes.ts'
import { Derivation } from './derived/derivation.ts'
import { workRoutes } from './derived/routes.ts'
import type { Log } from './jobs/log.ts'
import { openTraces } from './metrics/traces.ts'
import { Admission } from './http/admission.ts'
import { guardedCheck, guardedFetch } from './http/guarded-fetch.ts'
import { limitPublicCalls } from './http/limit-public-calls.ts'
import { openRateCounters } from './http/rate-limits.ts'
import { serve } from './http/serve.ts'
import { serveDocs } from './http/serve-docs.ts'
import { serveLogos } from './http/serve-logos.ts'
import { openWebApp } from './http/web-app.ts'
import { type Auth, openAuth } from './identity/auth.ts'
import { findViewer } from './identity/find-viewer.ts'
import { systemScope } from './identity/scope.ts'
import { cacheViewers } from './identity/cache-viewers.ts'
import { identityRoutes } from './identity/routes.ts'
import { makePasswordLink } from './identity/make-password-link.ts'
import { serveAuth } from './identity/serve-auth.ts'
import { openSso } from './identity/sso/sso.ts'
import { ssoRoutes } from './identity/sso/routes.ts'
import { serveSso } from './identity/sso/serve-sso.ts'
import { createAuditor } from './identity/write-audit.ts'
import { adapters } from './feeds/adapters/list.ts'
import { gbfsRoutes } from './feeds/gbfs/gbfs-routes.ts'
import { releaseLeases } from './imports/import-queue.ts'
import { importRoutes } from './imports/routes.ts'
import { ReadAhead } from './imports/trips/read-ahead.ts'
import { importSlots } from './imports/run-import.ts'
import { storeOpen311 } from './feeds/sinks/store-open311.ts'
import { storeReports } from './feeds/sinks/store-reports.ts'
import { storeWeatherDays } from './feeds/sinks/store-weather-feed.ts'
import { storeCurbEvents } from './feeds/sinks/store-curb-events.ts'
import { issueRoutes } from './issues/routes.ts'
import { openBackground } from './jobs/background.ts'
import { Jobs } from './jobs/jobs.ts'
import { openStartupLog, type StartupLog } from './jobs/startup-log.ts'
import { openMail } from './mail/open-mail.ts'
import { openSms } from './mail/open-sms.ts'
import { SentMessages } from './mail/message.ts'
import { serveDevMail } from './mail/serve-dev-mail.ts'
import { cubeRoutes } from './fleet/cubes/cube-routes.ts'
import { createShapeSums } from './fleet/cubes/shape-sums-product.ts'
import { ReadyLayers } from './fleet/cubes/ready-layer.ts'
import type { FleetIngest } from './fleet/events/fleet-ingest.ts'
import { ReportFacts } from './fleet/reports/report-facts-product.ts'
import { liveRoutes } from './live/routes.ts'
import { tripRouteRoutes } from './routes/routes.ts'
import { createRouteVolumes } from './routes/volumes/route-volumes-product.ts'
import { streetDependents } from './routes/street-layer.ts'
import { listManagedOperators } from './operators/manage-operators.ts'
import { eventKinds } from './notifications/events/publish-event.ts'
import { webhookRoutes } from './notifications/events/routes.ts'
import { openNotifications, type Notifications } from './notifications/open-notifications.ts'
import { watchHttp } from './operations/health/watch-http.ts'
import { openOperations, type Operations } from './operations/open-operations.ts'
import { openStores } from './operations/upgrade/open-stores.ts'
import { operatorRoutes } from './operators/routes.ts'
import { policyDependents } from './policies/policy-dependents.ts'
import { policyRoutes } from './policies/routes.ts'
import { regionRoutes } from './regions/routes.ts'
import { serveMdsMetrics } from './reporting/mds-metrics/serve-mds-metrics.ts'
import { openExports } from './reporting/exports/open-exports.ts'
import { reportingRoutes } from './reporting/routes.ts'
import { openReportSchedules, type ReportSchedules } from './reporting/schedules/open-report-schedules.ts'
import { fleetJob, listJobs } from './schedule.ts'
import { watchDisk } from './stores/disk-full.ts'
import type { Facts } from './stores/facts.ts'
import { checkSecretKey } from './operations/upgrade/check-secret-key.ts'
import type { BlobStore } from './stores/blobs/blob-store.ts'
import { openBlobStore } from './stores/blobs/open-blob-store.ts'
import { openSecretBox } from './stores/secret-box.ts'
import type { State } from './stores/state.ts'
import { userRoutes } from './users/routes.ts'
import { weatherRoutes } from './weather/routes.ts'

/** The opened application. Its HTTP server does not listen yet. */
export interface App {
  startup: StartupLog
  http: FastifyInstance
  state: State
  facts: Facts
  blobs: BlobStore
  auth: Auth
  jobs: Jobs
  membership: LayerMembership
  dependents: Dependents
  fleetIngest: FleetIngest
  feeds: OpenFeeds
  health: OpenHealth
  alerts: OpenAlerts
  reportSchedules: ReportSchedules
  notifications: Notifications
  /** The runner of derived data. */
  derivation: Derivation
  curb: Curb
  operations: Operations
  apiKeys: ApiKeys
  close(): Promise<void>
}

/** Options of a server with the demo city. */
interface Demo {
  /** Users with sign-ins shown on the sign-in page. */
  signIns?: readonly { email: string; password: string; role: string }[]
  /** Origins of the demo's operators on this machine, which feeds may fetch. */
  ownOrigins?: readonly string[]
}

/** When the server stops, running HTTP calls have this long to complete. */
const httpGraceMs = 3000

/** When the server stops, background work has this long to complete. Then its fact queries are killed. */
const backgroundGraceMs = 4000

/** Opens the stores and all rooms, and registers their routes. */
export async function openApp(
  config: Config,
  webRoot: string,
  log: Log,
  { signIns = [], ownOrigins = [] }: Demo = {},
): Promise<App> {
  const startup = openStartupLog(log)
  const closeTraces =
    config.otlpUrl === null ? null : openTraces({ url: config.otlpUrl, version: appVersion, fetch, log })
  const basemap = await startup.step('basemap', () => openBasemap(config, log))
  const now = (): Date => new Date()
  const { state, facts } = await startup.step('stores', () => openStores(config, log, now))
  const blobs = openBlobStore(config, now)
  const box = openSecretBox(config)
  // Only servers that share a database must have the same key; the only server of an embedded store may
  // change its own.
  if (config.databaseUrl !== null) await checkSecretKey(state, box)
  const sentMessages = config.development ? new SentMessages() : null
  const background = openBackground(log)
  const mail = openMail(config, log, sentMessages, now)
  const auth = await startup.step('sign-in', () =>
    openAuth({
      state,
      config,
      box,
      mail,
      sms: openSms(config, log, sentMessages, now),
      background,
      log,
      now,
    }),
  )
  const jobs = await startup.step('job queue', () =>
    new Jobs({ state, store: state.as(systemScope), log, now }).open(),
  )
  const membership = new LayerMembership(state, facts)
  const dependents = new Dependents()
  for (const source of [streetDependents(state), feedDependents(state)]) dependents.add(source)
  dependents.addPolicies(policyDependents(state))
  dependents.addPolicies(curbDependents(state, now))
  const derivation = new Derivation({ state, log, now: Date.now })
  const { live, fleetIngest, snapshots } = await openLiveFleet({
    state,
    facts,
    box,
    derivation,
    startup,
    log,
    now: Date.now,
  })
  const reports = storeReports(facts)
  const ownFetch = guardedFetch({ privateAddresses: config.privateAddresses, ownOrigins })
  const curb = openCurb({
    state,
    facts,
    jobs,
    box,
    fetch: ownFetch,
    blobs,
    dataDir: config.dataDir,
    publicUrl: config.publicUrl,
    log,
    now,
  })
  const sinks = {
    cds_events: storeCurbEvents(curb.sessions),
    sensor_states: storeCurbEvents(curb.sessions),
    gbfs: snapshots.store,
    open311: storeOpen311(state),
    weather: storeWeatherDays(state),
    mds_provider: reports,
    mds_agency: reports,
  }
  const keySettings = {
    environment: config.development ? 'dev' : 'live',
    maxDays: config.apiKeyMaxDays,
  } as const
  const feeds = openFeeds({
    state,
    keySettings,
    facts,
    fleetIngest,
    box,
    fetch: ownFetch,
    blobs,
    log,
    now,
    sinks,
    adapters,
    alone: config.databaseUrl === null,
  })
  const layers = new ReadyLayers(state, membership)
  const reportFacts = new ReportFacts({ state, facts, now: Date.now })
  derivation.add(createRouteVolumes({ state, facts }))
  derivation.add(reportFacts.product())
  for (const product of curb.products) derivation.add(product)
  derivation.add(feeDaysProduct({ state, facts, membership, now: Date.now }))
  derivation.add(createShapeSums({ state, facts, layers, now: Date.now, log }))
  derivation.add(createRideSpeeds({ state, facts, now: Date.now }))
  const notifications = openNotifications({
    state,
    mail,
    fetch: guardedFetch(config),
    box,
    publicUrl: config.publicUrl,
    log,
    now,
  })
  for (const kind of eventKinds()) notifications.add(kind)
  const counters = openRateCounters(state, log, config.databaseUrl === null)
  const apiKeys = openApiKeys({ state, notifications, counters, settings: keySettings, now })
  const health = openHealth({ state, facts, notifications, log })
  const compliance = { state, facts, membership, health: health.dayCounts }
  const fees = new PolicyFees(compliance)
  const payerFees = new PayerFees(fees, new CurbFees({ state, facts, indexes: curb.indexes }))
  const alerts = openAlerts({
    state,
    box,
    notifications,
    log,
    now,
    checkAddress: guardedCheck(config),
    findRecords: findRecordsWith(compliance),
  })
  const evaluator = openEvaluator(state, facts, membership, layers)
  const reportSchedules = openReportSchedules({
    state,
    facts,
    reports: reportFacts,
    evaluator,
    notifications,
    log,
    now,
  })
  const exports = await startup.step('exports', () =>
    openExports({
      compliance,
      jobs,
      notifications,
      box,
      dataDir: config.dataDir,
      blobs,
      isAlone: config.databaseUrl === null,
      log,
      now,
    }),
  )
  const http = await startup.step('web app', () => openWebApp(webRoot, log, config))
  watchHttp(http, log, config.logRequests)
  limitPublicCalls(http, now, { counters: counters.addresses })
  const disk = watchDisk(config.dataDir, log)
  serveAuth(http, auth, { disk, log })
  serveDevMail(http, sentMessages)
  serveLogos(http, blobs)
  basemap.serve(http)
  serveAgency(http, {
    state,
    facts,
    fleetIngest,
    storeRaw: createRawPushStore(blobs),
    gate: apiKeys.gate,
    log,
    now,
  })
  const sso = openSso({ state, auth, box, fetch: guardedFetch(config), publicUrl: config.publicUrl, log })
  serveDocs(http, endpoints)
  const viewerOf = cacheViewers(state, (headers) => findViewer(auth, state, headers), now)
  const admission = new Admission()
  const operations = openOperations({
    config,
    http,
    viewerOf,
    state,
    facts,
    compliance,
    blobs,
    jobs,
    derivation,
    live,
    auth,
    log,
    now,
  })
  serveMdsMetrics(http, { state, facts, membership, admission, gate: apiKeys.gate, log, now })
  const cds = openCds({
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
  cds.serve(http)
  const readAhead = new ReadAhead(blobs, importSlots)
  const routes = [
    ...identityRoutes(state, signIns, disk, admission),
    ...ssoRoutes(sso),
    ...operations.routes,
    ...regionRoutes(state),
    ...userRoutes({
      state,
      publicUrl: config.publicUrl,
      send: mail.send,
      passwordLink: (...args) => makePasswordLink(auth, config, ...args),
      operatorsOf: async (viewer) =>
        (await listManagedOperators({ state, facts }, viewer)).map(({ slug }) => slug),
    }),
    ...apiKeys.routes,
    ...webhookRoutes({ state, box, notifications, checkAddress: guardedCheck(config) }),
    ...operatorRoutes(state, facts),
    ...geographyRoutes({ state, now: Date.now, membership, dependents, blobs }),
    ...basemapRoutes({ state, basemap, dataDir: config.dataDir }),
    ...cubeRoutes(state),
    ...workRoutes(derivation, jobs, facts),
    ...importRoutes({ state, facts, jobs, ahead: readAhead, blobs, dataDir: config.dataDir, now }),
    ...curb.routes(viewerOf),
    ...cds.routes,
    ...liveRoutes({ state, facts, live, viewerOf }),
    ...tripRouteRoutes(state, facts),
    ...issueRoutes(state),
    ...weatherRoutes(state),
    ...complianceRoutes(compliance),
    ...feeRoutes(fees, payerFees, state),
    ...curbRevenueRoutes({ state, facts, indexes: curb.indexes, sessions: curb.sessions }),
    ...chargeRoutes({ state, facts }),
    ...invoiceRoutes({
      state,
      facts,
      fees: payerFees,
      box,
      notifications,
      publicUrl: config.publicUrl,
      dataDir: config.dataDir,
      log,
    }),
    ...reportingRoutes({ state, facts, reports: reportFacts, publicUrl: config.publicUrl, keySettings }),
    ...reportSchedules.routes,
    ...exports.routes,
    ...alerts.routes,
    ...policyRoutes({
      state,
      facts,
      now: Date.now,
      publicUrl: config.publicUrl,
      fetch: guardedFetch(config),
    }),
    ...gbfsRoutes(state, config.publicUrl),
    ...feeds.routes,
    ...health.routes,
    ...evaluationRoutes(state, facts, evaluator),
  ]
  serve(http, routes, {
    viewerOf,
    externalCallers: externalCallers(apiKeys.gate),
    publicUrl: config.publicUrl,
    log,
    admission,
    onDone: createAuditor(state, log),
  })
  serveSso(http, sso, now)
  // Must come before `jobs.start`: leases that a running job has taken must not be freed.
  if (config.databaseUrl === null) await releaseLeases(state)
  await jobs.add(
    ...listJobs({
      state,
      facts,
      blobs,
      jobs,
      ahead: readAhead,
      feeds,
      derivation,
      health,
      compliance,
      alerts,
      notifications,
      reportSchedules,
      exports,
      curb,
      backups: operations.backups,
      retention: operations.retention,
      apiKeys,
      log,
      now,
    }),
  )
  jobs.start([fleetJob])
  return {
    startup,
    http,
    state,
    facts,
    blobs,
    auth,
    jobs,
    membership,
    dependents,
    fleetIngest,
    feeds,
    health,
    alerts,
    reportSchedules,
    notifications,
    derivation,
    curb,
    operations,
    apiKeys,
    async close() {
      operations.readiness.drain()
      // Ends the streams of the live map, for which `http.close` would wait.
      live.close()
      // Closing the connections also aborts the queries of their calls.
      const timer = setTimeout(() => http.server.closeAllConnections(), httpGraceMs)
      const server = http.close().then(() => clearTimeout(timer))
      // Stopped in parallel: each may wait for a fact query, and a shutdown must not exceed ten seconds.
      const work = [
        server,
        operations.backups.settled(),
        feeds.stop(),
        derivation.stop(),
        background.settled(),
        jobs.stop(),
      ]
      const stopped = Promise.allSettled(work)
        .then(() => fleetIngest.close())
        .catch((error: unknown) => log('stop', { error: String(error) }))
      await Promise.race([stopped, wait(backgroundGraceMs, undefined, { ref: false })])
      // Kills running queries. Their work fails and is repeated after the next start.
      await facts.close()
      await stopped
      await operations.close()
      await apiKeys.close().catch((error: unknown) => log('stop', { error: String(error) }))
      await state.close()
      await closeTraces?.()
    },
  }
}
