import { openApiKeys } from './api-keys/open-api-keys.ts'
import { CurbFees } from './billing/curb/curb-fees.ts'
import { PayerFees } from './billing/curb/payer-fees.ts'
import { createFeeDaysProduct } from './billing/fee-days/fee-days-product.ts'
import { PolicyFees } from './billing/fee-days/policy-fees.ts'
import { createRecordFinder, openAlerts } from './compliance/alerts/open-alerts.ts'
import { createRideSpeeds } from './compliance/days/speeds/ride-speeds-product.ts'
import { type Curb, openCurb } from './curb/open-curb.ts'
import { createCurbPolicySource } from './curb/regulations/curb-dependents.ts'
import { openEvaluator } from './evaluation/evaluate.ts'
import { adapters } from './feeds/adapters/list.ts'
import { feedDependents } from './feeds/feed-dependents.ts'
import { openFeeds } from './feeds/open-feeds.ts'
import { openLiveFleet } from './feeds/open-live-fleet.ts'
import { storeCurbEvents } from './feeds/sinks/store-curb-events.ts'
import { storeOpen311 } from './feeds/sinks/store-open311.ts'
import { storeReports } from './feeds/sinks/store-reports.ts'
import { storeWeatherDays } from './feeds/sinks/store-weather-feed.ts'
import { ReadyLayers } from './fleet/cubes/ready-layer.ts'
import { createShapeSums } from './fleet/cubes/shape-sums-product.ts'
import { ReportFacts } from './fleet/reports/report-facts-product.ts'
import { Dependents } from './geography/dependents/dependents.ts'
import { openHealth } from './health/open-health.ts'
import { createGuardedCheck, createGuardedFetch } from './http/guarded-fetch.ts'
import { openRateCounters } from './http/rate-limits.ts'
import { createEventKinds } from './notifications/events/publish-event.ts'
import { openNotifications } from './notifications/open-notifications.ts'
import type { Platform } from './open-platform.ts'
import { policyDependents } from './policies/policy-dependents.ts'
import { openExports } from './reporting/exports/open-exports.ts'
import { openReportSchedules } from './reporting/schedules/open-report-schedules.ts'
import { createStreetDependents } from './routes/street-layer.ts'
import { createRouteVolumes } from './routes/volumes/route-volumes-product.ts'

/** The services of all rooms. */
export type Rooms = Awaited<ReturnType<typeof openRooms>>

interface RoomOptions {
  /** Origins of the demo's operators on this machine, which feeds may fetch. */
  ownOrigins: readonly string[]
}

/** Opens the services of all rooms and adds their derived products and notifications. */
export async function openRooms(platform: Platform, { ownOrigins }: RoomOptions) {
  const { config, log, now, startup, state, facts, blobs, secretBox, jobs, mail, membership, isAlone } =
    platform
  const { dataDir, publicUrl } = config
  const services = { state, facts, secretBox, blobs, log, now }
  const ownFetch = createGuardedFetch({ privateAddresses: config.privateAddresses, ownOrigins })
  const keySettings = {
    environment: config.development ? 'dev' : 'live',
    maxDays: config.apiKeyMaxDays,
  } as const
  const dependents = openDependents(platform)
  const fleet = { ...services, derivation: platform.derivation, startup, nowMs: Date.now }
  const { live, fleetIngest, snapshots } = await openLiveFleet(fleet)
  const curb = openCurb({ ...services, jobs, fetch: ownFetch, dataDir, publicUrl })
  const feeds = openFeeds({
    ...services,
    keySettings,
    fleetIngest,
    fetch: ownFetch,
    sinks: { ...listSinks(platform, curb), gbfs: snapshots.store },
    adapters,
    isAlone,
  })
  const layers = new ReadyLayers(state, membership)
  const reportFacts = new ReportFacts({ state, facts, nowMs: Date.now })
  addDerivedProducts(platform, { curb, layers, reportFacts })
  const notifications = openNotifications({ ...services, mail, fetch: createGuardedFetch(config), publicUrl })
  for (const kind of createEventKinds()) notifications.add(kind)
  const counters = openRateCounters(state, log, isAlone)
  const apiKeys = openApiKeys({ state, notifications, counters, settings: keySettings, now })
  const health = openHealth({ state, facts, notifications, log })
  const compliance = { state, facts, membership, health: health.dayCounts }
  const fees = new PolicyFees(compliance)
  const payerFees = new PayerFees(fees, new CurbFees({ state, facts, indexes: curb.indexes }))
  const alerts = openAlerts({
    ...services,
    notifications,
    checkAddress: createGuardedCheck(config),
    findRecords: createRecordFinder(compliance),
  })
  const evaluator = openEvaluator(state, facts, membership, layers)
  const reportSchedules = openReportSchedules({ ...services, reports: reportFacts, evaluator, notifications })
  const exports = await startup.step('exports', () =>
    openExports({ ...services, compliance, jobs, notifications, dataDir, isAlone }),
  )
  return {
    dependents,
    live,
    fleetIngest,
    curb,
    keySettings,
    feeds,
    reportFacts,
    notifications,
    counters,
    apiKeys,
    health,
    compliance,
    fees,
    payerFees,
    alerts,
    evaluator,
    reportSchedules,
    exports,
  }
}

/** Registers all kinds of dependents of layers and shapes, which prevent their deletion. */
function openDependents({ state, now }: Platform): Dependents {
  const dependents = new Dependents()
  for (const source of [createStreetDependents(state), feedDependents(state)]) dependents.add(source)
  dependents.addPolicies(policyDependents(state))
  dependents.addPolicies(createCurbPolicySource(state, now))
  return dependents
}

/** Returns the sinks, which store the records of feeds that are not fleets. */
function listSinks({ state, facts }: Platform, curb: Curb) {
  const reports = storeReports(facts)
  return {
    cds_events: storeCurbEvents(curb.sessions),
    sensor_states: storeCurbEvents(curb.sessions),
    open311: storeOpen311(state),
    weather: storeWeatherDays(state),
    mds_provider: reports,
    mds_agency: reports,
  }
}

/** What derived products need besides the platform. */
interface ProductSources {
  curb: Curb
  layers: ReadyLayers
  reportFacts: ReportFacts
}

function addDerivedProducts(
  { state, facts, membership, derivation, log }: Platform,
  { curb, layers, reportFacts }: ProductSources,
): void {
  derivation.add(createRouteVolumes({ state, facts }))
  derivation.add(reportFacts.product())
  for (const product of curb.products) derivation.add(product)
  derivation.add(createFeeDaysProduct({ state, facts, membership, nowMs: Date.now }))
  derivation.add(createShapeSums({ state, facts, layers, nowMs: Date.now, log }))
  derivation.add(createRideSpeeds({ state, facts, nowMs: Date.now }))
}
