import type { MetricsToken, NewMetricsToken } from '#contract/mds-metrics.ts'
import { type KeySettings, findKeysFor, toToken } from '#server/api-keys/list-keys.ts'
import { defaultKeySettings, revokeToken, insertKey, type KeyActor } from '#server/api-keys/manage-keys.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** The region of the keys, and who manages them. */
interface TokenContext {
  scope: Scope
  regionId: string
  by: KeyActor
  at: Date
}

/** Lists API keys that can read MDS Metrics of a region, newest first. */
export async function listMetricsTokens(
  state: State,
  { scope, regionId, at }: Omit<TokenContext, 'by'>,
): Promise<MetricsToken[]> {
  await findRegion(state, scope, regionId)
  const keys = await findKeysFor(state, scope, { regionId, scopes: ['mds.metrics:read'] }, at)
  return keys.map((key) => ({
    ...toToken(key),
    name: key.name,
    scope: key.operator === null ? 'metrics:read' : 'metrics:read:provider',
    operator: key.operator,
  }))
}

/** Creates an API key for MDS Metrics, of all operators or one. Its text is returned only once. */
export async function makeMetricsToken(
  state: State,
  { scope, regionId, by, at }: TokenContext,
  { name, operator }: NewMetricsToken,
  settings: KeySettings = defaultKeySettings,
): Promise<{ token: string }> {
  const { organizationId } = await findRegion(state, scope, regionId)
  const { text } = await insertKey(
    state.as(scope),
    {
      organizationId,
      name,
      scopes: ['mds.metrics:read'],
      regionIds: [regionId],
      operator,
      rateClass: 'high',
    },
    { actor: by, at, settings },
  )
  return { token: text }
}

/** Revokes a key of the region. Takes effect at the next request. */
export async function revokeMetricsToken(
  state: State,
  { scope, regionId, by, at }: TokenContext,
  tokenId: string,
): Promise<void> {
  const tokens = await listMetricsTokens(state, { scope, regionId, at })
  await revokeToken(state.as(scope), tokens, { tokenId, actor: by, at })
}
