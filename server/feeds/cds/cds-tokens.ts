import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { CdsToken, NewCdsToken } from '#contract/cds-events.ts'
import { tokenHash } from '../agency/token-hash.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State } from '#server/stores/state.ts'

const prefix = 'cdsr_'
const hintLength = 4
/** The use of a token is written down at most so often, ms. */
const usedIntervalMs = 60_000
const bearer = /^Bearer +([\w.~+/=-]{20,200})$/i

const readToken = (row: Selectable<StateTables['cds_token']>): CdsToken => ({
  tokenId: row.token_hash,
  name: row.name,
  access: row.access as CdsToken['access'],
  hint: row.hint,
  createdBy: row.created_by,
  createdTime: row.created_time.toISOString(),
  lastUsedTime: row.last_used_time?.toISOString() ?? null,
  revokedTime: row.revoked_time?.toISOString() ?? null,
})

/** The tokens of a region, newest first. */
export async function listCdsTokens(state: State, scope: Scope, regionId: string): Promise<CdsToken[]> {
  await findRegion(state, scope, regionId)
  const rows = await state
    .as(scope)
    .selectFrom('cds_token')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('created_time', 'desc')
    .orderBy('token_hash')
    .execute()
  return rows.map(readToken)
}

/** Creates a token that reads events or metrics of a region, or pushes payments. It is returned only once. */
export async function makeCdsToken(
  state: State,
  scope: Scope,
  regionId: string,
  { name, access }: NewCdsToken,
  by: string | null,
  at: Date,
): Promise<{ token: string }> {
  await findRegion(state, scope, regionId)
  const token = prefix + randomBytes(32).toString('base64url')
  await state
    .as(scope)
    .insertInto('cds_token')
    .values({
      token_hash: tokenHash(token),
      region_id: regionId,
      access,
      name,
      hint: token.slice(-hintLength),
      created_by: by,
      created_time: at,
    })
    .execute()
  return { token }
}

/** Ends a token: the next call with it is refused. */
export async function revokeCdsToken(
  state: State,
  scope: Scope,
  regionId: string,
  tokenId: string,
  at: Date,
): Promise<void> {
  const row = await state
    .as(scope)
    .updateTable('cds_token')
    .set((of) => ({ revoked_time: of.fn.coalesce('revoked_time', of.val(at)) }))
    .where('region_id', '=', regionId)
    .where('token_hash', '=', tokenId)
    .returning('token_hash')
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such token.')
}

/** What a token of a request allows: reading events or metrics of a region, or pushing payments or to a feed. */
export interface CdsAccess {
  tokenId: string
  organizationId: string
  regionId: string
  access: CdsToken['access'] | 'push'
  scope: Scope
  /** Who pushes payments: the name of the token. */
  vendor: string
  /** Of a push. */
  feedId: string
  settings: Readonly<Record<string, unknown>>
}

/** Finds the token of an Authorization header; null if it is missing, unknown or revoked, or its feed is off. */
export async function findCdsAccess(
  state: State,
  authorization: string | undefined,
  at: Date,
): Promise<CdsAccess | null> {
  const token = bearer.exec(authorization ?? '')?.[1]
  if (!token) return null
  const tokenId = tokenHash(token)
  const isReader = token.startsWith(prefix)
  const row = isReader ? await findReader(state, tokenId) : await findPusher(state, tokenId)
  if (!row) return null
  const since = new Date(at.getTime() - usedIntervalMs)
  if (!row.lastUsed || row.lastUsed < since)
    await state
      .as(systemScope)
      .updateTable(isReader ? 'cds_token' : 'agency_token')
      .set({ last_used_time: at })
      .where('token_hash', '=', tokenId)
      .execute()
  return { ...row.access, tokenId, scope: regionScope(row.access.organizationId, row.access.regionId) }
}

interface FoundToken {
  lastUsed: Date | null
  access: Omit<CdsAccess, 'tokenId' | 'scope'>
}

async function findReader(state: State, tokenId: string): Promise<FoundToken | null> {
  const row = await state
    .as(systemScope)
    .selectFrom('cds_token')
    .innerJoin('region', 'region.region_id', 'cds_token.region_id')
    .select([
      'cds_token.region_id',
      'cds_token.access',
      'cds_token.name',
      'cds_token.last_used_time',
      'region.organization_id',
    ])
    .where('token_hash', '=', tokenId)
    .where('revoked_time', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return {
    lastUsed: row.last_used_time,
    access: {
      organizationId: row.organization_id,
      regionId: row.region_id,
      access: row.access as CdsToken['access'],
      vendor: row.name,
      feedId: '',
      settings: {},
    },
  }
}

async function findPusher(state: State, tokenId: string): Promise<FoundToken | null> {
  const row = await state
    .as(systemScope)
    .selectFrom('agency_token')
    .innerJoin('feed', 'feed.feed_id', 'agency_token.feed_id')
    .innerJoin('region', 'region.region_id', 'feed.region_id')
    .select([
      'feed.feed_id',
      'feed.region_id',
      'feed.settings',
      'region.organization_id',
      'agency_token.last_used_time',
    ])
    .where('agency_token.token_hash', '=', tokenId)
    .where('agency_token.revoked_time', 'is', null)
    .where('feed.enabled', '=', true)
    .where('feed.kind', '=', 'cds_push')
    .executeTakeFirst()
  if (!row) return null
  return {
    lastUsed: row.last_used_time,
    access: {
      organizationId: row.organization_id,
      regionId: row.region_id,
      access: 'push',
      vendor: '',
      feedId: row.feed_id,
      settings: row.settings,
    },
  }
}
