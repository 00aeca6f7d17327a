import type { NewRegion, Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { defaultLostAfterHours } from './lost-vehicles.ts'
import { findRegion, readRegion } from './read-region.ts'

/** Converts the given fields to columns; omitted fields have none. */
const toColumns = (region: Partial<NewRegion>) =>
  Object.fromEntries(
    Object.entries({
      text: region.text,
      lat: region.lat,
      lon: region.lon,
      map_zoom: region.mapZoom,
      currency_code: region.currencyCode,
      timezone: region.timezone,
      is_metric: region.isMetric,
      logo_filename: region.logoFilename,
      has_mds_data: region.hasMdsData,
      has_monthly_zip: region.hasMonthlyZip,
      allowed_maps: region.allowedMaps === undefined ? undefined : JSON.stringify(region.allowedMaps),
      privacy_minimum: region.privacyMinimum,
      raw_retention_days: region.rawRetentionDays,
      lost_after_hours: region.lostAfterHours,
      counts_uncertain: region.countsUncertain,
      operating_from: region.operatingHours?.from,
      operating_until: region.operatingHours?.until,
    }).filter(([, value]) => value !== undefined),
  )

/** Creates a region of an organization. Ids are unique across all organizations. */
export async function createRegion(state: State, organizationId: string, region: NewRegion): Promise<Region> {
  // The system Scope: no viewer's includes a new region. The caller passes the viewer's organization.
  const rows = await state
    .as(systemScope)
    .insertInto('region')
    .values({
      region_id: region.regionId,
      organization_id: organizationId,
      text: region.text,
      lat: region.lat,
      lon: region.lon,
      timezone: region.timezone,
      map_zoom: region.mapZoom ?? 11,
      currency_code: region.currencyCode ?? 'USD',
      is_metric: region.isMetric ?? false,
      logo_filename: region.logoFilename ?? null,
      has_mds_data: region.hasMdsData ?? false,
      has_monthly_zip: region.hasMonthlyZip ?? false,
      allowed_maps: region.allowedMaps ? JSON.stringify(region.allowedMaps) : null,
      privacy_minimum: region.privacyMinimum ?? 10,
      raw_retention_days: region.rawRetentionDays ?? 30,
      lost_after_hours: region.lostAfterHours ?? defaultLostAfterHours,
      counts_uncertain: region.countsUncertain ?? false,
      operating_from: region.operatingHours?.from ?? '06:00',
      operating_until: region.operatingHours?.until ?? '22:00',
    })
    .onConflict((clash) => clash.doNothing())
    .returningAll()
    .execute()
  if (!rows[0]) throw new Problem('conflict', `The region id '${region.regionId}' is taken.`)
  return readRegion(rows[0])
}

/** Throws the Problem `conflict` if drafts of invoices, or charges without an end, have another currency. */
async function checkCurrencyChange(store: Store, regionId: string, currency: string): Promise<void> {
  const throwConflict = (message: string): never => {
    throw new Problem('conflict', message, [{ path: 'body.currencyCode', message }])
  }
  const draft = await store
    .selectFrom('invoice')
    .select('invoice_id')
    .where('region_id', '=', regionId)
    .where('status', '!=', 'issued')
    .where('currency', '!=', currency)
    .executeTakeFirst()
  if (draft)
    throwConflict('There are drafts of invoices in the present currency. Issue or delete them first.')
  const charge = await store
    .selectFrom('billing_charge')
    .select('charge_id')
    .where('region_id', '=', regionId)
    .where('end_date', 'is', null)
    .where('currency', '!=', currency)
    .executeTakeFirst()
  if (charge)
    throwConflict('There are charges on invoices in the present currency. End or delete them first.')
}

/** Changes a region. Omitted fields remain unchanged. */
export async function changeRegion(
  state: State,
  scope: Scope,
  regionId: string,
  change: Partial<NewRegion>,
): Promise<Region> {
  const columns = toColumns(change)
  if (change.currencyCode !== undefined)
    await checkCurrencyChange(state.as(scope), regionId, change.currencyCode)
  if (Object.keys(columns).length)
    await state.as(scope).updateTable('region').set(columns).where('region_id', '=', regionId).execute()
  return findRegion(state, scope, regionId)
}
