import type { MetricsToken, NewMetricsToken } from '#contract/mds-metrics.ts'
import { type KeySettings, keysFor } from '#server/api-keys/list-keys.ts'
import { endKey, insertKey, type KeyMaker, keyEnd, defaultKeySettings } from '#server/api-keys/manage-keys.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** API keys that read MDS Metrics of a region, the newest first. */
export async function listMetricsTokens(
  state: State,
  scope: Scope,
  regionId: string,
  at: Date,
): Promise<MetricsToken[]> {
  await findRegion(state, scope, regionId)
  const keys = await keysFor(state, scope, { regionId, scopes: ['mds.metrics:read'] }, at)
  return keys.map((key) => ({
    tokenId: key.key_id,
    name: key.name,
    scope: key.operator === null ? 'metrics:read' : 'metrics:read:provider',
    operator: key.operator,
    hint: key.hint,
    createdBy: key.created_by,
    createdTime: key.created_time,
    expiresTime: key.expires_time,
    lastUsedTime: key.last_used_time,
    revokedTime: key.revoked_time,
  }))
}

/** Creates an API key that reads MDS Metrics of a region, of all operators or one. It is returned only once. */
export async function makeMetricsToken(
  state: State,
  scope: Scope,
  regionId: string,
  { name, operator }: NewMetricsToken,
  by: KeyMaker,
  at: Date,
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
      feedId: null,
      cidrs: [],
      rateClass: 'high',
      expires: keyEnd(by, at, settings),
    },
    by,
    at,
    settings,
  )
  return { token: text }
}

/** Ends a key of the region: the next question with it is refused. */
export async function revokeMetricsToken(
  state: State,
  scope: Scope,
  regionId: string,
  tokenId: string,
  by: KeyMaker,
  at: Date,
): Promise<void> {
  if (!(await listMetricsTokens(state, scope, regionId, at)).some((each) => each.tokenId === tokenId))
    throw new Problem('not_found', 'There is no such token.')
  await endKey(state.as(scope), tokenId, by, at)
}
