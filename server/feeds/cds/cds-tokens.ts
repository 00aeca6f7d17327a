import type { ApiScope } from '#contract/api-scopes.ts'
import type * as contract from '#contract/cds-tokens.ts'
import type { FoundKey } from '#server/api-keys/find-key.ts'
import { type KeySettings, findKeysFor, toToken } from '#server/api-keys/list-keys.ts'
import { revokeToken, insertKey } from '#server/api-keys/manage-keys.ts'
import type { Call } from '#server/http/route.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** The API scope that a key needs for each kind of access. */
export const cdsScopes = {
  events: 'curb.events:read',
  metrics: 'curb.metrics:read',
  payments: 'payments:write',
  push: 'curb.events:write',
} as const satisfies Record<string, ApiScope>
const accessKinds = ['events', 'metrics', 'payments'] as const

/** Lists the API keys of a region for CDS, newest first. */
export async function listCdsTokens(
  state: State,
  scope: Scope,
  regionId: string,
  at: Date,
): Promise<contract.CdsToken[]> {
  await findRegion(state, scope, regionId)
  const scopes = accessKinds.map((kind) => cdsScopes[kind])
  const keys = await findKeysFor(state, scope, { regionId, scopes }, at)
  return keys.map((key) => ({
    ...toToken(key),
    name: key.name,
    access: accessKinds.find((accessKind) => key.scopes.includes(cdsScopes[accessKind])) ?? 'events',
  }))
}

/** Makes an API key that reads events or metrics of a region, or pushes payments. Returned only once. */
export async function createCdsToken(
  state: State,
  { viewer, params, body, at }: Pick<Call<typeof contract.makeCdsToken>, 'viewer' | 'params' | 'body' | 'at'>,
  settings: KeySettings,
): Promise<{ token: string }> {
  const { organizationId } = await findRegion(state, viewer.scope, params.region_id)
  const { text } = await insertKey(
    state.as(viewer.scope),
    {
      organizationId,
      name: body.name,
      scopes: [cdsScopes[body.access]],
      regionIds: [params.region_id],
      rateClass: 'high',
    },
    { actor: viewer, at, settings },
  )
  return { token: text }
}

/** Revokes an API key of the region: the next request with it is rejected. */
export async function revokeCdsToken(
  state: State,
  { viewer, params, at }: Pick<Call<typeof contract.revokeCdsToken>, 'viewer' | 'params' | 'at'>,
): Promise<void> {
  const tokens = await listCdsTokens(state, viewer.scope, params.region_id, at)
  await revokeToken(state.as(viewer.scope), tokens, { tokenId: params.token_id, actor: viewer, at })
}

/** What an API key permits: to read events or metrics of a region, or to push payments or events. */
export interface CdsAccess {
  tokenId: string
  organizationId: string
  regionId: string
  access: keyof typeof cdsScopes
  scope: Scope
  /** The vendor of pushed payments, which is the name of the key. */
  vendor: string
  /** The feed of pushed events; '' otherwise. */
  feedId: string
  settings: Readonly<Record<string, unknown>>
}

/** Returns the access that an API key has in a region; null if its feed is disabled or in another region. */
export async function findCdsAccess(
  state: State,
  key: FoundKey,
  access: CdsAccess['access'],
  regionId: string,
): Promise<CdsAccess | null> {
  const scope = regionScope(key.organizationId, regionId)
  const subject = { tokenId: key.keyId, organizationId: key.organizationId, regionId, access, scope }
  if (access !== 'push') return { ...subject, vendor: key.name, feedId: '', settings: {} }
  if (key.feedId === null) return null
  const feed = await state
    .as(systemScope)
    .selectFrom('feed')
    .select(['feed_id', 'settings'])
    .where('feed_id', '=', key.feedId)
    .where('region_id', '=', regionId)
    .where('enabled', '=', true)
    .where('kind', '=', 'cds_push')
    .executeTakeFirst()
  return feed ? { ...subject, vendor: '', feedId: feed.feed_id, settings: feed.settings } : null
}
