import { randomUUID } from 'node:crypto'
import { dayNumber, dayFromNumber, localDay } from '#contract/period.ts'
import type { App } from '#server/app.ts'
import { createFeed } from '#server/feeds/save-feed.ts'
import { createUser } from '#server/identity/create-user.ts'
import { createOrganization } from '#server/identity/standard-roles.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { PolicyFees } from '#server/billing/fee-days/policy-fees.ts'
import type { InvoiceContext } from '#server/billing/invoices/drafts.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import { setPublishing } from '#server/routes/public/publishing.ts'
import { createRegion } from '#server/regions/save-region.ts'
import { adapters } from '#server/feeds/adapters/list.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import { storeDemoInvoices } from './billing/store-demo-invoices.ts'
import { curbFeeds } from './curb/curb-feeds.ts'
import { demoInventory } from './curb/curb-places.ts'
import { type CurbRows, makeCurbRows } from './curb/curb-rows.ts'
import { storeCurbPricing, type CurbPricingOptions } from './curb/store-curb-pricing.ts'
import { recentCurbDays, storeCurbHistory } from './curb/store-curb-history.ts'
import { demoRegionId, demoSeed } from './demo-region.ts'
import { dockedFeedName, operatorFeeds } from './operator-feeds.ts'
import { makeRoutes, type RouteLines, routeDays, storeDemoRoutes } from './history/demo-routes.ts'
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
export { shownSignIns }

const regionId = demoRegionId
const seed = demoSeed
// Progress is stored in rows of the table `secret` under these names.

/** Marks the demo as complete. */
const completeSecret = 'demo-complete'
/** Routes that are stored after the first page is served. */
const pendingRoutesSecret = 'demo-pending-routes'
/** The year of curb history, likewise. */
const pendingCurbSecret = 'demo-pending-curb'
/** Invoices, likewise. */
const pendingInvoicesSecret = 'demo-pending-invoices'

/** Number of past days with trips. */
const historyDays = 365

const hourMs = 3_600_000

export interface FirstRun {
  box: SecretBox
  /** The running operators. Their addresses are those of the feeds. */
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

/**
 * Creates the demo city once: trips of `days` days up to today, and feeds that continue from there. An
 * incomplete city is removed and created again.
 */
export async function makeDemo(
  app: Pick<App, 'state' | 'facts' | 'auth' | 'membership'>,
  {
    box,
    operators: runningOperators,
    printLine,
    at = new Date(),
    days = historyDays,
    city: testCity,
    chunks: startedChunks,
  }: FirstRun,
): Promise<void> {
  const store = app.state.as(systemScope)
  if (await store.selectFrom('secret').select('name').where('name', '=', completeSecret).executeTakeFirst())
    return
  const start = performance.now()
  const seconds = (): string => `${((performance.now() - start) / 1000).toFixed(0)} s`
  printLine('First run: making the demo city Port Meridian.')
  const incomplete = await store
    .selectFrom('region')
    .select('organization_id')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  if (incomplete) await store.deleteFrom('region').where('region_id', '=', regionId).execute()
  const organizationId = incomplete?.organization_id ?? randomUUID()
  if (!incomplete) await createOrganization(store, organizationId, 'City of Port Meridian')
  for (const { email, password, role } of signIns)
    await createUser(
      app.auth,
      app.state,
      { email, password, name: `Demo ${role}`, organizationId, role, acceptedTermsOfService: true },
      at,
    )
  const operatorUser = await createUser(
    app.auth,
    app.state,
    {
      email: operatorSignIn.email,
      password: operatorSignIn.password,
      name: 'Demo operator',
      organizationId,
      acceptedTermsOfService: true,
    },
    at,
  )
  await store
    .updateTable('user')
    .set({ operators: JSON.stringify(operatorSignIn.operators) })
    .where('id', '=', operatorUser)
    .execute()

  const city = testCity ?? loadCity()
  await createRegion(app.state, organizationId, {
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
    await store
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
  const scope = regionScope(organizationId, regionId)
  const layers = await storeDemoLayers(app, scope, regionId, city, at)
  printLine(`  ${seconds()}: streets, water, parks and ${layers} layers`)
  const until = dayNumber(localDay(at, city.timezone))
  const chunks =
    startedChunks ??
    startTripChunks(
      { regionId, seed, from: dayFromNumber(until - days), until: dayFromNumber(until) },
      async (task) => makeTripChunk(city, task),
    )
  if (incomplete) await removeHistory(app.facts, scope, regionId)
  const trips = await storeDemoTrips(app, scope, chunks, at, (share, count) =>
    printLine(
      `  ${seconds()}: ${Math.round(share * 100)} % of ${days} days, ${count.toLocaleString('en-US')} trips`,
    ),
  )
  await makeHistory(
    app.facts,
    scope,
    { regionId, city, seed, until, lostAfterHours: 48, firstRunMs: at.getTime() },
    (name) => printLine(`  ${seconds()}: events and parking of ${name}`),
  )
  const issues = await storeDemoIssues(app, scope, { regionId, city, seed, from: until - days, until, at })
  printLine(`  ${seconds()}: ${issues.toLocaleString('en-US')} 311 issues and the weather`)
  await setPublishing(app.state, scope, regionId, {
    published: true,
    first_month: null,
    last_month: null,
  })
  await storeDemoPolicies(app, scope, regionId, signIns[1]?.email ?? '', at)
  const zones = await storeDemoCurb(app, scope, { regionId, city, seed, at })
  printLine(`  ${seconds()}: ${zones.toLocaleString('en-US')} curb zones`)
  for (const feed of curbFeeds)
    await createFeed(
      { state: app.state, box, adapters },
      { viewer: { organizationId, scope }, params: { region_id: regionId }, body: feed, at },
    )
  const seam = getSeamMs(city.timezone, until)
  const sessions = await storeCurbHistory(app, scope, {
    regionId,
    seed,
    box,
    from: until - recentCurbDays,
    until,
    seam,
    firstRunMs: at.getTime(),
    make: async (batch) => makeCurbRows(batch),
  })
  printLine(`  ${seconds()}: ${sessions.toLocaleString('en-US')} sessions at the curb`)
  const backfillHours = Math.floor((at.getTime() - seam) / hourMs)
  for (const feed of operatorFeeds(runningOperators, backfillHours)) {
    const created = await createFeed(
      { state: app.state, box, adapters },
      { viewer: { organizationId, scope }, params: { region_id: regionId }, body: feed, at },
    )
    if (feed.name !== dockedFeedName) continue
    const docked = { regionId, operator: dockedOperator.slug, feedId: created.feedId }
    const system = new DockedSystem(city, seed)
    const states = await storeStationHistory(app.facts, scope, docked, system, at.getTime())
    printLine(
      `  ${seconds()}: ${states.toLocaleString('en-US')} states of ${system.stations.length} stations`,
    )
  }
  await store
    .insertInto('secret')
    .values([
      { name: completeSecret, value: String(trips) },
      { name: pendingCurbSecret, value: JSON.stringify({ until, days, seam, at: at.getTime() }) },
      { name: pendingRoutesSecret, value: JSON.stringify({ until, days, at: at.getTime() }) },
      { name: pendingInvoicesSecret, value: String(at.getTime()) },
    ])
    .execute()
  printLine(`  ${seconds()}: Port Meridian is ready`)
}

/**
 * Stores what the first page does not need: the routes of the last two months and a year of curb history.
 * Interrupted work is repeated at the next start.
 */
export async function finishDemo(
  app: Pick<App, 'state' | 'facts'>,
  { box, printLine, city }: Pick<FirstRun, 'box' | 'printLine' | 'city'>,
): Promise<void> {
  const store = app.state.as(systemScope)
  const region = await store
    .selectFrom('region')
    .select('organization_id')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  if (!region) return
  const scope = regionScope(region.organization_id, regionId)
  await runPending<{ until: number; days: number; at: number }>(app.state, pendingRoutesSecret, (pending) =>
    storeDemoRoutes(app, scope, {
      regionId,
      seed,
      until: pending.until,
      days: pending.days,
      version: BigInt(pending.at) * 1000n,
      make: async (batch) =>
        city
          ? makeRoutes(city, batch)
          : runInWorker<RouteLines>(new URL('./history/routes-worker.ts', import.meta.url), batch),
      onProgress: (share) => printLine(`Routes of the last ${routeDays} days: ${Math.round(share * 100)} %`),
    }),
  )
  await runPending<{ until: number; days: number; seam: number; at: number }>(
    app.state,
    pendingCurbSecret,
    async (pending) => {
      const days = Math.max(pending.days, recentCurbDays)
      await storeCurbHistory(app, scope, {
        regionId,
        seed,
        box,
        from: pending.until - days,
        until: pending.until - recentCurbDays,
        seam: pending.seam,
        firstRunMs: pending.at,
        make: async (batch) =>
          city
            ? makeCurbRows(batch)
            : runInWorker<CurbRows>(new URL('./curb/curb-worker.ts', import.meta.url), batch),
        onProgress: (share) => printLine(`Curb of the last ${days} days: ${Math.round(share * 100)} %`),
      })
    },
  )
}

/** Does work that the first run deferred, and removes its mark. Does nothing without a mark. */
async function runPending<Pending>(
  state: App['state'],
  name: string,
  work: (pending: Pending) => Promise<void>,
): Promise<void> {
  const store = state.as(systemScope)
  const row = await store.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst()
  if (!row) return
  await work(JSON.parse(row.value) as Pending)
  await store.deleteFrom('secret').where('name', '=', name).execute()
}

/** Stores payments, surveys and rates of the curb in the background, and continues them at each start. */
export async function addCurbPricing(
  app: Pick<App, 'state' | 'facts' | 'blobs' | 'jobs' | 'curb'>,
  { printLine, log, dataDir }: Pick<FirstRun, 'printLine'> & Pick<CurbPricingOptions, 'log' | 'dataDir'>,
): Promise<void> {
  const store = app.state.as(systemScope)
  const region = await store
    .selectFrom('region')
    .select('organization_id')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  const user = await store
    .selectFrom('user')
    .select(['id', 'email'])
    .where('email', '=', signIns[0]?.email ?? '')
    .executeTakeFirst()
  const first = await store
    .selectFrom('curb_inventory')
    .select('created_time')
    .where('region_id', '=', regionId)
    .where('name', '=', demoInventory)
    .executeTakeFirst()
  if (!region || !user || !first) return
  await storeCurbPricing({
    app,
    dataDir,
    organizationId: region.organization_id,
    regionId,
    seed,
    user: { userId: user.id, email: user.email },
    log,
    firstRun: first.created_time,
    at: new Date(),
    printLine,
  })
}

/**
 * Creates the invoices of the past twelve months in the background, once
 * their fees are derived. Continues after an interruption.
 */
export async function addInvoices(
  app: Pick<App, 'state' | 'facts' | 'membership' | 'health'>,
  {
    printLine,
    ...invoiceContext
  }: Pick<InvoiceContext, 'box' | 'publicUrl' | 'log'> & Pick<FirstRun, 'printLine'>,
): Promise<void> {
  const { state, facts, membership, health } = app
  const store = state.as(systemScope)
  const pending = await store
    .selectFrom('secret')
    .select('value')
    .where('name', '=', pendingInvoicesSecret)
    .executeTakeFirst()
  const region = await store
    .selectFrom('region')
    .select(['organization_id', 'timezone'])
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  const user = await store
    .selectFrom('user')
    .select(['id', 'email'])
    .where('email', '=', signIns[0]?.email ?? '')
    .executeTakeFirst()
  if (!pending || !region || !user) return
  const fees = new PolicyFees({ state, facts, membership, health: health.dayCounts })
  await storeDemoInvoices({
    context: { state, facts, fees, ...invoiceContext },
    regionId,
    organizationId: region.organization_id,
    timezone: region.timezone,
    city: { userId: user.id, email: user.email },
    operatorEmail: (operator) => `billing@${operator}.example`,
    at: new Date(Number(pending.value)),
    printLine,
  })
  await store.deleteFrom('secret').where('name', '=', pendingInvoicesSecret).execute()
}
