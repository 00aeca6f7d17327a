import { createHash } from 'node:crypto'
import type * as contract from '#contract/billing-settings.ts'
import { BillingSettings, maxLogoBytes, PayerSettings } from '#contract/billing-settings.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'
import { type Call, RawResponse, type WriteCall } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { readBody } from './read-body.ts'

/** Throws for users of operators. */
export function requireCity({ scope }: Pick<Viewer, 'scope'>): void {
  if (scope.operators) throw new Problem('forbidden', 'This is only for city staff.')
}

const findRow = (store: Store, regionId: string) =>
  store.selectFrom('billing_settings').selectAll().where('region_id', '=', regionId).executeTakeFirst()

/** Finds the billing settings of a region, which must be in the Scope. */
export async function findBillingSettings(
  state: State,
  scope: Scope,
  regionId: string,
): Promise<BillingSettings> {
  return BillingSettings.parse((await findRow(state.as(scope), regionId))?.settings ?? {})
}

/** Finds the billing settings of an operator; defaults if none are stored. */
export async function findPayer(store: Store, regionId: string, operator: string): Promise<PayerSettings> {
  const row = await store
    .selectFrom('billing_payer')
    .select('settings')
    .where('region_id', '=', regionId)
    .where('operator', '=', operator)
    .executeTakeFirst()
  return PayerSettings.parse(row?.settings ?? {})
}

/** A request about a region, without query and body. */
interface RegionCall {
  viewer: Viewer
  params: { region_id: string }
}

export async function getBillingSettings(
  state: State,
  { viewer, params: { region_id: regionId } }: RegionCall,
): Promise<EndpointOutput<typeof contract.getBillingSettings>> {
  requireCity(viewer)
  await findRegion(state, viewer.scope, regionId)
  const row = await findRow(state.as(viewer.scope), regionId)
  return { ...BillingSettings.parse(row?.settings ?? {}), has_logo: !!row?.logo }
}

export async function saveBillingSettings(
  state: State,
  { viewer, params, body: settings }: Omit<WriteCall<typeof contract.saveBillingSettings>, 'at'>,
): Promise<EndpointOutput<typeof contract.getBillingSettings>> {
  const text = JSON.stringify(settings)
  await state
    .as(viewer.scope)
    .insertInto('billing_settings')
    .values({ region_id: params.region_id, settings: text })
    .onConflict((conflict) => conflict.column('region_id').doUpdateSet({ settings: text }))
    .execute()
  return getBillingSettings(state, { viewer, params })
}

export async function getPayerSettings(
  state: State,
  { viewer, params }: { viewer: Viewer; params: { region_id: string; operator: string } },
): Promise<PayerSettings> {
  requireCity(viewer)
  await findRegion(state, viewer.scope, params.region_id)
  return findPayer(state.as(viewer.scope), params.region_id, params.operator)
}

export async function savePayerSettings(
  state: State,
  { viewer, params, body: settings }: Omit<WriteCall<typeof contract.savePayerSettings>, 'at'>,
): Promise<PayerSettings> {
  const text = JSON.stringify(settings)
  await state
    .as(viewer.scope)
    .insertInto('billing_payer')
    .values({ region_id: params.region_id, operator: params.operator, settings: text })
    .onConflict((conflict) => conflict.columns(['region_id', 'operator']).doUpdateSet({ settings: text }))
    .execute()
  return settings
}

/** Returns the media type of an image, detected by its first bytes; null if it is neither PNG nor JPEG. */
function detectImageType(bytes: Buffer): 'image/png' | 'image/jpeg' | null {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png'
  return bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')) ? 'image/jpeg' : null
}

export interface Logo {
  bytes: Buffer
  /** Media type. */
  media: string
}

/** Finds the logo of a region; null if it has none. */
export async function findLogo(store: Store, regionId: string): Promise<Logo | null> {
  const row = await findRow(store, regionId)
  return row?.logo && row.logo_media ? { bytes: Buffer.from(row.logo), media: row.logo_media } : null
}

async function storeLogo(store: Store, regionId: string, logo: Logo | null): Promise<{ has_logo: boolean }> {
  const columns = { logo: logo?.bytes ?? null, logo_media: logo?.media ?? null }
  await store
    .insertInto('billing_settings')
    .values({ region_id: regionId, ...columns })
    .onConflict((conflict) => conflict.column('region_id').doUpdateSet(columns))
    .execute()
  return { has_logo: logo !== null }
}

/** Saves the logo. @param check Throws if an invoice cannot be printed with the logo. */
export async function saveBillingLogo(
  state: State,
  { viewer, params, body }: Call<typeof contract.saveBillingLogo>,
  checkLogo: (logo: Logo) => Promise<unknown>,
): Promise<{ has_logo: boolean }> {
  await findRegion(state, viewer.scope, params.region_id)
  const bytes = await readBody(body, maxLogoBytes, 'A logo has at most 200 kB.')
  const media = detectImageType(bytes)
  const unreadable = new Problem('validation_error', 'The logo must be a PNG or JPEG image.', [
    { path: 'body', message: 'The logo must be a PNG or JPEG image.' },
  ])
  if (!media) throw unreadable
  const logo = { bytes, media }
  await checkLogo(logo).catch(() => {
    throw unreadable
  })
  return storeLogo(state.as(viewer.scope), params.region_id, logo)
}

export async function deleteBillingLogo(
  state: State,
  { viewer, params }: RegionCall,
): Promise<{ has_logo: boolean }> {
  await findRegion(state, viewer.scope, params.region_id)
  return storeLogo(state.as(viewer.scope), params.region_id, null)
}

export async function getBillingLogo(
  state: State,
  { viewer, params: { region_id: regionId } }: RegionCall,
): Promise<RawResponse> {
  await findRegion(state, viewer.scope, regionId)
  const logo = await findLogo(state.as(viewer.scope), regionId)
  if (!logo) throw new Problem('not_found', 'There is no logo.')
  return new RawResponse(logo.bytes, {
    'content-type': logo.media,
    etag: `"${createHash('sha256').update(logo.bytes).digest('hex').slice(0, 20)}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
}
