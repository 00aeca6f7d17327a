import { randomUUID } from 'node:crypto'
import { dayFromNumber, dayNumber, hourMs, localDay } from '#contract/period.ts'
import type { App } from '#server/app.ts'
import { createFeed } from '#server/feeds/save-feed.ts'
import { createUser } from '#server/identity/create-user.ts'
import { createOrganization } from '#server/identity/standard-roles.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import { setPublishing } from '#server/routes/public/publishing.ts'
import { createRegion } from '#server/regions/save-region.ts'
import { adapters } from '#server/feeds/adapters/list.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { Store } from '#server/stores/state.ts'
import { curbFeeds } from './curb/curb-feeds.ts'
import { makeCurbRows } from './curb/curb-rows.ts'
import { recentCurbDays, storeCurbHistory } from './curb/store-curb-history.ts'
import { type PendingCurb, type PendingRoutes, pendingWorkKeys } from './deferred-work.ts'
import { demoRegionId, demoSeed, findDemoRegion } from './demo-region.ts'
import { dockedFeedName, listOperatorFeeds } from './operator-feeds.ts'
import { makeHistory, removeHistory, getSeamMs } from './history/make-history.ts'
import type { City } from './city.ts'
import { loadCity } from './load-city.ts'
import { operators } from './operators.ts'
import { type DemoOperators, openDemoOperators } from './servers/open-demo-operators.ts'
import { operatorSignIn, shownSignIns, signIns } from './sign-ins.ts'
import { dockedOperator, DockedSystem } from './stations/docked-system.ts'
import { storeStationHistory } from './stations/store-station-history.ts'
import { storeDemoCurb } from './store-demo-curb.ts'
import { storeDemoIssues } from './store-demo-issues.ts'
import { storeDemoLayers } from './store-demo-layers.ts'
import { storeDemoPolicies } from './store-demo-policies.ts'
import {
  makeTripChunk,
  startTripChunks,
  storeDemoTrips,
  type TripChunk,
  type TripChunks,
} from './store-demo-trips.ts'

export { connectOperators } from './connect-operators.ts'
export { addCurbPricing, addInvoices, addRoutesAndCurbHistory } from './deferred-work.ts'
export { shownSignIns }

const regionId = demoRegionId
const seed = demoSeed
/** Key of the row of the table `secret` that marks the demo as complete. */
const completeKey = 'demo-complete'

/** Number of past days with trips. */
const historyDays = 365

export interface FirstRun {
  secretBox: SecretBox
  /** The running operators, to which the feeds connect. */
  operators: Pick<DemoOperators, 'urls' | 'credentials'>
  printLine: (line: string) => void
  at?: Date
  days?: number
  city?: City
  /** Trips generated from before the stores were opened. */
  chunks?: TripChunks
}

/** Starts to generate the demo's trips on threads, in parallel with opening the stores and `makeDemo`. */
export const startDemoTrips = (at: Date): TripChunks => {
  const until = dayNumber(localDay(at, loadCity().timezone))
  return startTripChunks(
    { regionId, seed, from: dayFromNumber(until - historyDays), until: dayFromNumber(until) },
    (task) => runInWorker<TripChunk>(new URL('./trip-chunk-worker.ts', import.meta.url), task),
  )
}

/** Opens the servers of the demo's operators; their vehicles continue the history. */
export const openOperators = (printLine: (line: string) => void): Promise<DemoOperators> =>
  openDemoOperators({ city: null, seed, now: Date.now, printLine })

type DemoApp = Pick<App, 'state' | 'facts' | 'auth' | 'membership'>

/** What every step of the first run needs. */
interface DemoStep extends Pick<FirstRun, 'secretBox'> {
  app: DemoApp
  scope: Scope
  organizationId: string
  city: City
  at: Date
  /** First local day after the history, in days since 1970-01-01. */
  until: number
  days: number
  /** Prints a line with the time since the start. */
  report: (line: string) => void
}

/** Creates the demo city once, with `days` days of trips. An incomplete city is created again. */
export async function makeDemo(
  app: DemoApp,
  {
    secretBox,
    operators: runningOperators,
    printLine,
    at = new Date(),
    days = historyDays,
    city: testCity,
    chunks,
  }: FirstRun,
): Promise<void> {
  const store = app.state.as(systemScope)
  if (await store.selectFrom('secret').select('name').where('name', '=', completeKey).executeTakeFirst())
    return
  const start = performance.now()
  printLine('First run: making the demo city Port Meridian.')
  const { organizationId, isIncomplete } = await prepareOrganization(store)
  await createUsers(app, organizationId, at)
  const city = testCity ?? loadCity()
  await createCity(app, organizationId, city)
  const step: DemoStep = {
    app,
    secretBox,
    scope: regionScope(organizationId, regionId),
    organizationId,
    city,
    at,
    until: dayNumber(localDay(at, city.timezone)),
    days,
    report: (line) => printLine(`  ${((performance.now() - start) / 1000).toFixed(0)} s: ${line}`),
  }
  const layers = await storeDemoLayers(app, step.scope, { regionId, city, at })
  step.report(`streets, water, parks and ${layers} layers`)
  const trips = await storeFleetHistory(step, { isIncomplete, chunks })
  await storeIssuesAndPolicies(step)
  const seamMs = getSeamMs(city.timezone, step.until)
  await storeCurb(step, seamMs)
  await createOperatorFeeds(step, { runningOperators, seamMs })
  const pending: PendingRoutes = { until: step.until, days, at: at.getTime() }
  await store
    .insertInto('secret')
    .values([
      { name: completeKey, value: String(trips) },
      {
        name: pendingWorkKeys.curb,
        value: JSON.stringify({ ...pending, seam: seamMs } satisfies PendingCurb),
      },
      { name: pendingWorkKeys.routes, value: JSON.stringify(pending) },
      { name: pendingWorkKeys.invoices, value: String(at.getTime()) },
    ])
    .execute()
  step.report('Port Meridian is ready')
}

/** Returns the organization of an incomplete city and removes its region, or creates an organization. */
async function prepareOrganization(store: Store): Promise<{ organizationId: string; isIncomplete: boolean }> {
  const incomplete = await findDemoRegion(store)
  if (incomplete) {
    await store.deleteFrom('region').where('region_id', '=', regionId).execute()
    return { organizationId: incomplete.organization_id, isIncomplete: true }
  }
  const organizationId = randomUUID()
  await createOrganization(store, organizationId, 'City of Port Meridian')
  return { organizationId, isIncomplete: false }
}

async function createUsers({ auth, state }: DemoApp, organizationId: string, at: Date): Promise<void> {
  for (const { email, password, role } of signIns)
    await createUser(
      auth,
      state,
      { email, password, name: `Demo ${role}`, organizationId, role, acceptedTermsOfService: true },
      at,
    )
  const operatorUser = await createUser(
    auth,
    state,
    {
      email: operatorSignIn.email,
      password: operatorSignIn.password,
      name: 'Demo operator',
      organizationId,
      acceptedTermsOfService: true,
    },
    at,
  )
  await state
    .as(systemScope)
    .updateTable('user')
    .set({ operators: JSON.stringify(operatorSignIn.operators) })
    .where('id', '=', operatorUser)
    .execute()
}

/** Creates the region and the operators. */
async function createCity({ state }: DemoApp, organizationId: string, city: City): Promise<void> {
  await createRegion(state, organizationId, {
    regionId,
    text: city.name,
    lat: city.lat,
    lon: city.lon,
    mapZoom: city.mapZoom,
    timezone: city.timezone,
    currencyCode: 'USD',
    isMetric: false,
    hasMdsData: true,
  })
  for (const { slug, name, colorHex, providerId } of [
    ...operators,
    { ...dockedOperator, providerId: undefined },
  ])
    await state
      .as(systemScope)
      .insertInto('operator')
      .values({
        organization_id: organizationId,
        slug,
        name,
        color_hex: colorHex,
        provider_id: providerId ?? null,
      })
      .onConflict((clash) => clash.doNothing())
      .execute()
}

interface FleetHistoryOptions {
  /** Whether facts of an earlier attempt may be stored. */
  isIncomplete: boolean
  chunks: TripChunks | undefined
}

/** Stores the trips, and the events and parking of vehicles with MDS. Returns the number of trips. */
async function storeFleetHistory(
  { app, scope, city, at, until, days, report }: DemoStep,
  { isIncomplete, chunks: startedChunks }: FleetHistoryOptions,
): Promise<number> {
  const chunks =
    startedChunks ??
    startTripChunks(
      { regionId, seed, from: dayFromNumber(until - days), until: dayFromNumber(until) },
      async (task) => makeTripChunk(city, task),
    )
  if (isIncomplete) await removeHistory(app.facts, scope, regionId)
  const trips = await storeDemoTrips(app, scope, chunks, {
    at,
    onProgress: (share, count) =>
      report(`${Math.round(share * 100)} % of ${days} days, ${count.toLocaleString('en-US')} trips`),
  })
  await makeHistory(
    app.facts,
    scope,
    { regionId, city, seed, until, lostAfterHours: 48, firstRunMs: at.getTime() },
    (name) => report(`events and parking of ${name}`),
  )
  return trips
}

async function storeIssuesAndPolicies({
  app,
  scope,
  city,
  at,
  until,
  days,
  report,
}: DemoStep): Promise<void> {
  const issues = await storeDemoIssues(app, scope, { regionId, city, seed, from: until - days, until, at })
  report(`${issues.toLocaleString('en-US')} 311 issues and the weather`)
  await setPublishing(app.state, scope, regionId, { published: true, first_month: null, last_month: null })
  await storeDemoPolicies(app, { scope, email: signIns[1]?.email ?? '' }, { regionId, at })
}

/** Stores the zones of the curb and their recent history, and creates the feeds of its sensors. */
async function storeCurb(step: DemoStep, seamMs: number): Promise<void> {
  const { app, secretBox, scope, organizationId, city, at, until, report } = step
  const zones = await storeDemoCurb(app, scope, { regionId, city, seed, at })
  report(`${zones.toLocaleString('en-US')} curb zones`)
  for (const feed of curbFeeds)
    await createFeed(
      { state: app.state, secretBox, adapters },
      { viewer: { organizationId, scope }, params: { region_id: regionId }, body: feed, at },
    )
  const sessions = await storeCurbHistory(app, scope, {
    regionId,
    seed,
    secretBox,
    from: until - recentCurbDays,
    until,
    seamMs,
    firstRunMs: at.getTime(),
    make: async (batch) => makeCurbRows(batch),
  })
  report(`${sessions.toLocaleString('en-US')} sessions at the curb`)
}

/** Creates the feeds of the operators, which continue the history, and stores the history of the stations. */
async function createOperatorFeeds(
  { app, secretBox, scope, organizationId, city, at, report }: DemoStep,
  { runningOperators, seamMs }: { runningOperators: FirstRun['operators']; seamMs: number },
): Promise<void> {
  const backfillHours = Math.floor((at.getTime() - seamMs) / hourMs)
  for (const feed of listOperatorFeeds(runningOperators, backfillHours)) {
    const created = await createFeed(
      { state: app.state, secretBox, adapters },
      { viewer: { organizationId, scope }, params: { region_id: regionId }, body: feed, at },
    )
    if (feed.name !== dockedFeedName) continue
    const system = new DockedSystem(city, seed)
    const states = await storeStationHistory(app.facts, scope, {
      feed: { regionId, operator: dockedOperator.slug, feedId: created.feedId },
      system,
      until: at.getTime(),
    })
    report(`${states.toLocaleString('en-US')} states of ${system.stations.length} stations`)
  }
}
