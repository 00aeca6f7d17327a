import type { Selectable } from 'kysely'
import type { ApiKey, ApiKeyState } from '#contract/api-keys.ts'
import { type ApiScope, rateClassNames } from '#contract/api-scopes.ts'
import { dayMs } from '#contract/period.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State } from '#server/stores/state.ts'
import type { KeyEnvironment } from './find-key.ts'

/** Time before a key expires at which its owner is notified. */
export const noticeMs = 14 * dayMs
/** Time without a call after which a key counts as unused. */
export const unusedMs = 90 * dayMs
/** Time over which calls are counted in lists. */
const listedMs = 30 * dayMs
/** Settings of the server for keys. */
export interface KeySettings {
  environment: KeyEnvironment
  /** Maximum validity of keys. */
  maxDays: number
}

type ApiKeyRow = Selectable<StateTables['api_key']>

const toIso = (time: Date | null | undefined): string | null => time?.toISOString() ?? null

/** A key with its owner, feed and use. */
export interface ListedRow extends ApiKeyRow {
  owner_email: string | null
  owner_disabled: boolean | null
  feed_name: string | null
  last_used_time: Date | null
  /** Accepted and refused calls of the last 30 days; `refused`: only the latter. */
  calls: number
  refused: number
}

function getState(row: ListedRow, at: Date): ApiKeyState {
  const now = at.getTime()
  if (row.revoked_time) return 'revoked'
  if (row.expires_time && row.expires_time.getTime() <= now) return 'expired'
  if (row.has_owner && (row.owner_id === null || row.owner_disabled === true)) return 'ownerless'
  if (row.expires_time && row.expires_time.getTime() - now <= noticeMs) return 'expiring'
  const lastUsedMs = (row.last_used_time ?? row.created_time).getTime()
  return now - lastUsedMs >= unusedMs ? 'unused' : 'active'
}

/** Returns a key as the API returns it, with its state at `at`. */
export const readRow = (row: ListedRow, at: Date): ApiKey => ({
  key_id: row.key_id,
  consumer_id: row.consumer_id,
  name: row.name,
  prefix: row.prefix,
  hint: row.hint,
  scopes: row.scopes,
  region_ids: row.region_ids,
  operator: row.operator,
  feed_id: row.feed_id,
  feed_name: row.feed_name,
  cidrs: row.cidrs,
  rate_class: rateClassNames.find((rateClassName) => rateClassName === row.rate_class) ?? 'standard',
  state: getState(row, at),
  owner_email: row.owner_email,
  created_by: row.created_by,
  created_time: row.created_time.toISOString(),
  expires_time: toIso(row.expires_time),
  revoked_time: toIso(row.revoked_time),
  revoked_by: row.revoked_by,
  last_used_time: toIso(row.last_used_time),
  calls: row.calls,
  refused: row.refused,
})

/** Lists the Scope's keys with owner, feed and use, newest first; optionally those of a feed, or one key. */
async function listKeyRows(
  state: State,
  scope: Scope,
  at: Date,
  { feedId, keyId }: { feedId?: string; keyId?: string } = {},
): Promise<ListedRow[]> {
  let query = state
    .as(scope)
    .selectFrom('api_key')
    .leftJoin('user', 'user.id', 'api_key.owner_id')
    .leftJoin('feed', 'feed.feed_id', 'api_key.feed_id')
    .selectAll('api_key')
    .select(['user.email as owner_email', 'user.disabled as owner_disabled', 'feed.name as feed_name'])
  if (feedId !== undefined) query = query.where('api_key.feed_id', '=', feedId)
  if (keyId !== undefined) query = query.where('api_key.key_id', '=', keyId)
  const rows = await query.orderBy('api_key.created_time', 'desc').orderBy('api_key.key_id').execute()
  const ids = rows.map(({ key_id }) => key_id)
  if (!ids.length) return []
  const uses = await state
    .as(systemScope)
    .selectFrom('api_key_day')
    .select(['key_id', 'day', 'calls', 'refused', 'last_used_time'])
    .where('key_id', 'in', ids)
    .execute()
  const listedFromMs = at.getTime() - listedMs
  return rows.map((row) => {
    const usesOfKey = uses.filter(({ key_id }) => key_id === row.key_id)
    const listedUses = usesOfKey.filter(({ day }) => new Date(day).getTime() > listedFromMs)
    const times = usesOfKey.flatMap(({ last_used_time: time }) => (time ? [time.getTime()] : []))
    return {
      ...row,
      last_used_time: times.length ? new Date(Math.max(...times)) : null,
      calls: listedUses.reduce((sum, { calls }) => sum + Number(calls), 0),
      refused: listedUses.reduce((sum, { refused }) => sum + Number(refused), 0),
    }
  })
}

/** Returns whether a viewer administers a key: owns it, or has access to all its regions. */
const isAdministered = (viewer: Viewer, row: Pick<ApiKeyRow, 'region_ids' | 'owner_id'>): boolean =>
  viewer.allRegions ||
  row.owner_id === viewer.userId ||
  (row.region_ids !== null && row.region_ids.every((id) => viewer.scope.regionIds?.includes(id)))

/** Lists the keys that a viewer may administer. */
export async function listKeys(state: State, viewer: Viewer, at: Date): Promise<ApiKey[]> {
  const rows = await listKeyRows(state, viewer.scope, at)
  return rows.filter((row) => isAdministered(viewer, row)).map((row) => readRow(row, at))
}

/** Finds the keys of a region, or of one of its feeds, that have one of the scopes; newest first. */
export async function findKeysFor(
  state: State,
  scope: Scope,
  { feedId, regionId, scopes }: { feedId?: string; regionId: string; scopes: readonly ApiScope[] },
  at: Date,
): Promise<ApiKey[]> {
  const rows = await listKeyRows(state, scope, at, feedId === undefined ? {} : { feedId })
  return rows
    .filter((row) => row.scopes.some((scope) => scopes.includes(scope)) && row.region_ids?.includes(regionId))
    .map((row) => readRow(row, at))
}

/** Finds the stored row of a key that the viewer administers. @throws Problem `not_found` for others. */
export async function findKeyRow(state: State, viewer: Viewer, keyId: string, at: Date): Promise<ListedRow> {
  const [row] = await listKeyRows(state, viewer.scope, at, { keyId })
  if (!row || !isAdministered(viewer, row)) throw new Problem('not_found', 'There is no such API key.')
  return row
}

/** Finds a key that the viewer administers. @throws Problem `not_found` for others. */
export const findKey = async (state: State, viewer: Viewer, keyId: string, at: Date): Promise<ApiKey> =>
  readRow(await findKeyRow(state, viewer, keyId, at), at)

/** Converts a key to its representation as a token of a feed or region. */
export const toToken = (key: ApiKey) => ({
  tokenId: key.key_id,
  hint: key.hint,
  createdBy: key.created_by,
  createdTime: key.created_time,
  expiresTime: key.expires_time,
  lastUsedTime: key.last_used_time,
  revokedTime: key.revoked_time,
})
