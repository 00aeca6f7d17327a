import {
  type ApiKey,
  type createApiKey,
  maxActiveKeys,
  type NewApiKey,
  type rotateApiKey,
} from '#contract/api-keys.ts'
import { type ApiScope, apiScopes, type RateClass } from '#contract/api-scopes.ts'
import { dayMs } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State, Store } from '#server/stores/state.ts'
import { createKeyText } from './find-key.ts'
import { findKey, findKeyRow, type KeySettings } from './list-keys.ts'

/** Default validity of a key, unless the server allows less. */
const defaultDays = 365
/** Settings of a server without configuration. */
export const defaultKeySettings: KeySettings = { environment: 'live', maxDays: 730 }

/** Returns the validity of a key if the request names none, in days. */
export const getDefaultDays = ({ maxDays }: KeySettings): number => Math.min(defaultDays, maxDays)

/** The user who creates or revokes a key; null for the system itself, on behalf of the organization. */
export type KeyActor = Pick<Viewer, 'userId' | 'email' | 'admin'> | null

/** The validated properties of a new key. */
interface KeyDraft {
  organizationId: string
  name: string
  scopes: readonly ApiScope[]
  regionIds: readonly string[] | null
  operator?: string | null
  feedId?: string | null
  cidrs?: readonly string[]
  rateClass: RateClass
  /** Null: never. Undefined: after the default validity for a key of a user, never for one of the system. */
  expires?: Date | null
  consumerId?: string
}

interface KeyCreation {
  actor: KeyActor
  at: Date
  settings?: KeySettings
}

/** Creates a key and returns its text, which is not stored. */
export async function insertKey(
  store: Store,
  draft: KeyDraft,
  { actor, at, settings = defaultKeySettings }: KeyCreation,
): Promise<{ keyId: string; text: string }> {
  if (actor) refuseImpersonation(actor)
  const { keyId, text, prefix, secretHash, hint } = createKeyText(settings.environment)
  const { expires = actor && addDays(at, getDefaultDays(settings)) } = draft
  await store
    .insertInto('api_key')
    .values({
      key_id: keyId,
      organization_id: draft.organizationId,
      name: draft.name,
      ...(draft.consumerId === undefined ? {} : { consumer_id: draft.consumerId }),
      owner_id: actor?.userId ?? null,
      has_owner: actor !== null,
      created_by: actor?.email ?? null,
      prefix,
      secret_hash: secretHash,
      hint,
      scopes: JSON.stringify(draft.scopes),
      region_ids: JSON.stringify(draft.regionIds),
      operator: draft.operator ?? null,
      feed_id: draft.feedId ?? null,
      cidrs: JSON.stringify(draft.cidrs ?? []),
      rate_class: draft.rateClass,
      created_time: at,
      expires_time: expires,
    })
    .execute()
  return { keyId, text }
}

/** The properties of a new or stored key that decide who may grant it. */
type KeyRights = Pick<NewApiKey, 'region_ids' | 'feed_id' | 'operator'> & { scopes: readonly ApiScope[] }

/** Throws a Problem unless the viewer may grant the scopes, and they fit the regions, operator and feed. */
async function checkDraft(state: State, viewer: Viewer, draft: KeyRights): Promise<void> {
  const declaredScopes = draft.scopes.map((scope) => ({ name: scope, ...apiScopes[scope] }))
  for (const { name, needs } of declaredScopes)
    if (needs !== null && !viewer.permissions.includes(needs))
      throw new Problem(
        'forbidden',
        `scopes: You can grant only scopes that you have permission for. ${name} requires ${needs}.`,
      )
  const unknownId = draft.region_ids?.find((id) => !viewer.scope.regionIds?.includes(id))
  if (unknownId !== undefined)
    throw new Problem('validation_error', `region_ids: You cannot grant access to region '${unknownId}'.`)
  if (draft.region_ids === null && declaredScopes.some(({ needsRegions }) => needsRegions))
    throw new Problem('validation_error', 'region_ids: Select one or more regions for these scopes.')
  if (draft.operator !== null && declaredScopes.some(({ canBeLimitedToOperator }) => !canBeLimitedToOperator))
    throw new Problem('validation_error', 'operator: These scopes cannot be limited to one operator.')
  const kinds = new Set(declaredScopes.flatMap(({ feedKind }) => (feedKind ? [feedKind] : [])))
  if (!kinds.size) {
    if (draft.feed_id !== null)
      throw new Problem('validation_error', 'feed_id: Only keys that send data to a feed can have one.')
    return
  }
  const feed =
    draft.feed_id === null
      ? undefined
      : await state
          .as(viewer.scope)
          .selectFrom('feed')
          .select(['kind', 'region_id'])
          .where('feed_id', '=', draft.feed_id)
          .executeTakeFirst()
  if (!feed || kinds.size > 1 || !kinds.has(feed.kind as 'mds_agency' | 'cds_push'))
    throw new Problem('validation_error', 'feed_id: Select a feed of the kind that the scope pushes to.')
  if (draft.region_ids?.length !== 1 || draft.region_ids[0] !== feed.region_id)
    throw new Problem('validation_error', 'region_ids: Select only the region of the feed.')
}

const addDays = (at: Date, days: number): Date => new Date(at.getTime() + days * dayMs)

/** Creates a key and returns its secret, which is not stored and cannot be read later. */
export async function createKey(
  state: State,
  { viewer, body: draft, at }: Call<typeof createApiKey>,
  settings: KeySettings,
): Promise<{ key: ApiKey; secret: string }> {
  refuseImpersonation(viewer)
  await checkDraft(state, viewer, draft)
  const days = draft.expires_days ?? getDefaultDays(settings)
  if (days > settings.maxDays)
    throw new Problem('validation_error', `expires_days: At most ${settings.maxDays} days on this server.`)
  const { keyId, text } = await insertKey(
    state.as(viewer.scope),
    {
      organizationId: viewer.organizationId,
      name: draft.name,
      scopes: draft.scopes,
      regionIds: draft.region_ids,
      operator: draft.operator,
      feedId: draft.feed_id,
      cidrs: draft.cidrs,
      rateClass: draft.rate_class,
      expires: addDays(at, days),
    },
    { actor: viewer, at, settings },
  )
  return { key: await findKey(state, viewer, keyId, at), secret: text }
}

/** Throws during impersonation, because the key would act as the other user even afterward. */
function refuseImpersonation(viewer: Pick<Viewer, 'admin'>): void {
  if (viewer.admin)
    throw new Problem(
      'forbidden',
      'API keys cannot be managed while you act as another user. End the impersonation first.',
    )
}

/** Creates a second key of the same consumer, with the original validity of the first one. */
export async function rotateKey(
  state: State,
  { viewer, params, at }: Call<typeof rotateApiKey>,
  settings: KeySettings,
): Promise<{ key: ApiKey; secret: string }> {
  refuseImpersonation(viewer)
  const row = await findKeyRow(state, viewer, params.key_id, at)
  if (row.revoked_time) throw new Problem('conflict', 'A revoked key cannot be rotated. Create a new one.')
  await checkDraft(state, viewer, row)
  const days = row.expires_time
    ? Math.round((row.expires_time.getTime() - row.created_time.getTime()) / dayMs)
    : getDefaultDays(settings)
  const newKey = await state
    .as(viewer.scope)
    .transaction()
    .execute(async (store) => {
      // Locks the organization, so that rotations run one at a time and count each other's keys.
      await store.selectFrom('organization').select('organization_id').forUpdate().execute()
      const { count } = await store
        .selectFrom('api_key')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('consumer_id', '=', row.consumer_id)
        .where('revoked_time', 'is', null)
        .where((is) => is.or([is('expires_time', 'is', null), is('expires_time', '>', at)]))
        .executeTakeFirstOrThrow()
      if (Number(count) >= maxActiveKeys)
        throw new Problem('conflict', 'This consumer has two active keys. Revoke the old one first.')
      const draft: KeyDraft = {
        organizationId: row.organization_id,
        name: row.name,
        scopes: row.scopes,
        regionIds: row.region_ids,
        operator: row.operator,
        feedId: row.feed_id,
        cidrs: row.cidrs,
        rateClass: row.rate_class as RateClass,
        expires: addDays(at, Math.max(1, Math.min(days, settings.maxDays))),
        consumerId: row.consumer_id,
      }
      return insertKey(store, draft, { actor: viewer, at, settings })
    })
  return { key: await findKey(state, viewer, newKey.keyId, at), secret: newKey.text }
}

/** Makes the viewer the owner of a key. Its rights are limited to the viewer's from now on. */
export async function takeOverKey(state: State, viewer: Viewer, keyId: string, at: Date): Promise<ApiKey> {
  refuseImpersonation(viewer)
  const row = await findKeyRow(state, viewer, keyId, at)
  if (row.revoked_time) throw new Problem('conflict', 'A revoked key has no owner.')
  await checkDraft(state, viewer, row)
  await state
    .as(viewer.scope)
    .updateTable('api_key')
    .set({ owner_id: viewer.userId, has_owner: true, alerted_time: null })
    .where('key_id', '=', keyId)
    .execute()
  return findKey(state, viewer, keyId, at)
}

/** Revokes a key. Takes effect at the next call. */
export async function revokeKey(state: State, viewer: Viewer, keyId: string, at: Date): Promise<ApiKey> {
  await findKeyRow(state, viewer, keyId, at)
  await markRevoked(state.as(viewer.scope), keyId, viewer, at)
  return findKey(state, viewer, keyId, at)
}

/** Marks a key in the store's Scope as revoked. */
async function markRevoked(store: Store, keyId: string, actor: KeyActor, at: Date): Promise<void> {
  await store
    .updateTable('api_key')
    .set({ revoked_time: at, revoked_by: actor?.email ?? null })
    .where('key_id', '=', keyId)
    .where('revoked_time', 'is', null)
    .execute()
}

/** Revokes the key of a token. @throws Problem `not_found` unless it is one of `tokens`. */
export async function revokeToken(
  store: Store,
  tokens: readonly { tokenId: string }[],
  { tokenId, actor, at }: { tokenId: string; actor: KeyActor; at: Date },
): Promise<void> {
  if (!tokens.some((token) => token.tokenId === tokenId))
    throw new Problem('not_found', 'There is no such token.')
  await markRevoked(store, tokenId, actor, at)
}
