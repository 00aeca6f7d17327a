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
import { demoRegionId as regionId, demoSeed as seed } from './demo-region.ts'
import { makeRoutes, type RouteLines, routeDays, storeDemoRoutes } from './history/demo-routes.ts'
import { signIns } from './sign-ins.ts'

/** Names of the rows of the table `secret` that mark work as deferred; their values are its parameters. */
export const pendingSecrets = {
  routes: 'demo-pending-routes',
  curb: 'demo-pending-curb',
  invoices: 'demo-pending-invoices',
}

interface FinishOptions {
  secretBox: SecretBox
  printLine: (line: string) => void
  city?: City
}

/**
 * Stores what the first page does not need: the routes of the last two months and a year of curb history.
 * Interrupted work is repeated at the next start.
 */
export async function finishDemo(
  app: Pick<App, 'state' | 'facts'>,
  { secretBox, printLine, city }: FinishOptions,
): Promise<void> {
  const store = app.state.as(systemScope)
  const region = await store
    .selectFrom('region')
    .select('organization_id')
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  if (!region) return
  const scope = regionScope(region.organization_id, regionId)
  await runPending<{ until: number; days: number; at: number }>(app.state, pendingSecrets.routes, (pending) =>
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
    pendingSecrets.curb,
    async (pending) => {
      const days = Math.max(pending.days, recentCurbDays)
      await storeCurbHistory(app, scope, {
        regionId,
        seed,
        secretBox,
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
  { printLine, log, dataDir }: Pick<FinishOptions, 'printLine'> & Pick<CurbPricingOptions, 'log' | 'dataDir'>,
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
  }: Pick<InvoiceContext, 'secretBox' | 'publicUrl' | 'log'> & Pick<FinishOptions, 'printLine'>,
): Promise<void> {
  const { state, facts, membership, health } = app
  const store = state.as(systemScope)
  const pending = await store
    .selectFrom('secret')
    .select('value')
    .where('name', '=', pendingSecrets.invoices)
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
  await store.deleteFrom('secret').where('name', '=', pendingSecrets.invoices).execute()
}
