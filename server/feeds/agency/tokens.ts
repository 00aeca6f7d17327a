import type { AgencyToken } from '#contract/feeds.ts'
import type { ApiScope } from '#contract/api-scopes.ts'
import { type KeySettings, findKeysFor, toToken } from '#server/api-keys/list-keys.ts'
import { defaultKeySettings, revokeToken, insertKey, type KeyActor } from '#server/api-keys/manage-keys.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'

/** The API scope for pushes to each kind of feed. */
const scopesByKind: Record<string, ApiScope> = {
  mds_agency: 'mds.agency:write',
  cds_push: 'curb.events:write',
}

async function findFeed(store: Store, feedId: string) {
  return store
    .selectFrom('feed')
    .innerJoin('region', 'region.region_id', 'feed.region_id')
    .select(['feed.region_id', 'feed.operator', 'feed.kind', 'feed.name', 'region.organization_id'])
    .where('feed_id', '=', feedId)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such feed.'))
}

/** Creates an API key for pushes to a feed. The key itself is returned only here. */
export async function makeAgencyToken(
  store: Store,
  feedId: string,
  { actor, at, settings = defaultKeySettings }: { actor: KeyActor; at: Date; settings?: KeySettings },
): Promise<{ tokenId: string; token: string }> {
  const feed = await findFeed(store, feedId)
  const requiredScope = scopesByKind[feed.kind]
  if (!requiredScope || (feed.kind === 'mds_agency' && !feed.operator))
    throw new Problem(
      'bad_request',
      'Tokens are only for feeds of the kind MDS Agency with an operator, or CDS Events.',
    )
  const { keyId, text } = await insertKey(
    store,
    {
      organizationId: feed.organization_id,
      name: feed.name,
      scopes: [requiredScope],
      regionIds: [feed.region_id],
      feedId,
      rateClass: 'feed',
    },
    { actor, at, settings },
  )
  return { tokenId: keyId, token: text }
}

/** Revokes an API key of a feed: the next push with it is rejected. */
export async function revokeAgencyToken(
  state: State,
  scope: Scope,
  { feedId, tokenId, actor, at }: { feedId: string; tokenId: string; actor: KeyActor; at: Date },
): Promise<void> {
  await revokeToken(state.as(scope), await listAgencyTokens(state, scope, feedId, at), { tokenId, actor, at })
}

/** Lists the API keys for pushes to a feed, newest first. */
export async function listAgencyTokens(
  state: State,
  scope: Scope,
  feedId: string,
  at: Date,
): Promise<AgencyToken[]> {
  const { region_id: regionId } = await findFeed(state.as(scope), feedId)
  const scopes = Object.values(scopesByKind)
  return (await findKeysFor(state, scope, { feedId, regionId, scopes }, at)).map(toToken)
}
