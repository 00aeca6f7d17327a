import type { App } from '#server/app.ts'
import { PolicyFees } from '#server/billing/fee-days/policy-fees.ts'
import type { InvoiceContext } from '#server/billing/invoices/drafts.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import { storeDemoInvoices } from './billing/store-demo-invoices.ts'
import type { City } from './city.ts'
import { demoInventory } from './curb/curb-places.ts'
import { type CurbRows, makeCurbRows } from './curb/curb-rows.ts'
import { recentCurbDays, storeCurbHistory } from './curb/store-curb-history.ts'
import { type CurbPricingOptions, storeCurbPricing } from './curb/store-curb-pricing.ts'
import {
  demoRegionId as regionId,
  demoSeed as seed,
  findDemoAdministrator,
  findDemoRegion,
} from './demo-region.ts'
import { makeRoutes, type RouteLines, routeDays, storeDemoRoutes } from './history/demo-routes.ts'

/**
 * Keys of deferred work. The table `secret` serves as a key-value store here: a row exists while the work is
 * pending, and its value has the parameters: `PendingRoutes` or `PendingCurb` as JSON, for invoices the time (ms).
 */
export const pendingWorkKeys = {
  routes: 'demo-pending-routes',
  curb: 'demo-pending-curb',
  invoices: 'demo-pending-invoices',
}

export interface PendingRoutes {
  /** First local day after the history, in days since 1970-01-01. */
  until: number
  /** Number of days of trips before `until`. */
  days: number
  /** Time of the first run, ms. */
  at: number
}

export interface PendingCurb extends PendingRoutes {
  /** Time (ms) at which the history ends and the feeds begin. */
  seam: number
}

interface DeferredWorkOptions {
  secretBox: SecretBox
  printLine: (line: string) => void
  city?: City
}

/** Stores two months of routes and a year of curb history. Interrupted work is repeated at the next start. */
export async function addRoutesAndCurbHistory(
  app: Pick<App, 'state' | 'facts'>,
  { secretBox, printLine, city }: DeferredWorkOptions,
): Promise<void> {
  const region = await findDemoRegion(app.state.as(systemScope))
  if (!region) return
  const scope = regionScope(region.organization_id, regionId)
  await runPending<PendingRoutes>(app.state, pendingWorkKeys.routes, (pending) =>
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
  await runPending<PendingCurb>(app.state, pendingWorkKeys.curb, async (pending) => {
    const days = Math.max(pending.days, recentCurbDays)
    await storeCurbHistory(app, scope, {
      regionId,
      seed,
      secretBox,
      from: pending.until - days,
      until: pending.until - recentCurbDays,
      seamMs: pending.seam,
      firstRunMs: pending.at,
      make: async (batch) =>
        city
          ? makeCurbRows(batch)
          : runInWorker<CurbRows>(new URL('./curb/curb-worker.ts', import.meta.url), batch),
      onProgress: (share) => printLine(`Curb of the last ${days} days: ${Math.round(share * 100)} %`),
    })
  })
}

/** Does work that the first run deferred, and removes its key. Does nothing without the key. */
async function runPending<Pending>(
  state: App['state'],
  key: string,
  work: (pending: Pending) => Promise<void>,
): Promise<void> {
  const store = state.as(systemScope)
  const row = await store.selectFrom('secret').select('value').where('name', '=', key).executeTakeFirst()
  if (!row) return
  await work(JSON.parse(row.value) as Pending)
  await store.deleteFrom('secret').where('name', '=', key).execute()
}

/** Stores payments, surveys and rates of the curb in the background, and continues them at each start. */
export async function addCurbPricing(
  app: Pick<App, 'state' | 'facts' | 'blobs' | 'jobs' | 'curb'>,
  {
    printLine,
    log,
    dataDir,
  }: Pick<DeferredWorkOptions, 'printLine'> & Pick<CurbPricingOptions, 'log' | 'dataDir'>,
): Promise<void> {
  const store = app.state.as(systemScope)
  const region = await findDemoRegion(store)
  const user = await findDemoAdministrator(store)
  const inventory = await store
    .selectFrom('curb_inventory')
    .select('created_time')
    .where('region_id', '=', regionId)
    .where('name', '=', demoInventory)
    .executeTakeFirst()
  if (!region || !user || !inventory) return
  await storeCurbPricing({
    app,
    dataDir,
    organizationId: region.organization_id,
    regionId,
    seed,
    user,
    log,
    firstRun: inventory.created_time,
    at: new Date(),
    printLine,
  })
}

/** Creates the invoices of a year, once their fees are derived. Continues after an interruption. */
export async function addInvoices(
  app: Pick<App, 'state' | 'facts' | 'membership' | 'health'>,
  {
    printLine,
    ...invoiceContext
  }: Pick<InvoiceContext, 'secretBox' | 'publicUrl' | 'log'> & Pick<DeferredWorkOptions, 'printLine'>,
): Promise<void> {
  const { state, facts, membership, health } = app
  const store = state.as(systemScope)
  const pending = await store
    .selectFrom('secret')
    .select('value')
    .where('name', '=', pendingWorkKeys.invoices)
    .executeTakeFirst()
  const region = await findDemoRegion(store)
  const user = await findDemoAdministrator(store)
  if (!pending || !region || !user) return
  const fees = new PolicyFees({ state, facts, membership, health: health.dayCounts })
  await storeDemoInvoices({
    context: { state, facts, fees, ...invoiceContext },
    regionId,
    organizationId: region.organization_id,
    timezone: region.timezone,
    city: user,
    operatorEmail: (operator) => `billing@${operator}.example`,
    at: new Date(Number(pending.value)),
    printLine,
  })
  await store.deleteFrom('secret').where('name', '=', pendingWorkKeys.invoices).execute()
}
