import { randomBytes } from 'node:crypto'
import type { MetricsToken, NewMetricsToken } from '#contract/mds-metrics.ts'
import { tokenHash } from '#server/feeds/agency/token-hash.ts'
import { Problem } from '#server/http/problem.ts'
import { regionScope, systemScope, viewerScope } from '#server/identity/scope.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State } from '#server/stores/state.ts'
import type { Selectable } from 'kysely'

const prefix = 'mdsm_'
const hintLength = 4
/** The use of a token is written down at most so often, ms. */
const usedEvery = 60_000
const bearer = /^Bearer +([\w.~+/=-]{20,200})$/i

type Row = Selectable<StateTables['metrics_token']>

const read = (row: Row): MetricsToken => ({
  tokenId: row.token_hash,
  name: row.name,
  scope: row.operator === null ? 'metrics:read' : 'metrics:read:provider',
  operator: row.operator,
  hint: row.hint,
  createdBy: row.created_by,
  createdTime: row.created_time.toISOString(),
  lastUsedTime: row.last_used_time?.toISOString() ?? null,
  revokedTime: row.revoked_time?.toISOString() ?? null,
})

/** The tokens of a region, the newest first. */
export async function listMetricsTokens(
  state: State,
  scope: Scope,
  regionId: string,
): Promise<MetricsToken[]> {
  await findRegion(state, scope, regionId)
  const rows = await state
    .as(scope)
    .selectFrom('metrics_token')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('created_time', 'desc')
    .orderBy('token_hash')
    .execute()
  return rows.map(read)
}

/** Creates a token of a region, for all operators or one. The token is returned only once. */
export async function makeMetricsToken(
  state: State,
  scope: Scope,
  regionId: string,
  { name, operator }: NewMetricsToken,
  by: string | null,
  at: Date,
): Promise<MetricsToken & { token: string }> {
  await findRegion(state, scope, regionId)
  const token = prefix + randomBytes(32).toString('base64url')
  const row = await state
    .as(scope)
    .insertInto('metrics_token')
    .values({
      token_hash: tokenHash(token),
      region_id: regionId,
      operator,
      name,
      hint: token.slice(-hintLength),
      created_by: by,
      created_time: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...read(row), token }
}

/** Ends a token: the next question with it is refused. */
export async function revokeMetricsToken(
  state: State,
  scope: Scope,
  regionId: string,
  tokenId: string,
  at: Date,
): Promise<MetricsToken> {
  await state
    .as(scope)
    .updateTable('metrics_token')
    .set({ revoked_time: at })
    .where('region_id', '=', regionId)
    .where('token_hash', '=', tokenId)
    .where('revoked_time', 'is', null)
    .execute()
  const row = await state
    .as(scope)
    .selectFrom('metrics_token')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('token_hash', '=', tokenId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such token.')
  return read(row)
}

/** What a token may read. */
export interface MetricsReader {
  tokenId: string
  regionId: string
  scope: Scope
}

/** Whose token an Authorization header brings; null where it is none, unknown or revoked. */
export async function findMetricsReader(
  state: State,
  authorization: string | undefined,
  at: Date,
): Promise<MetricsReader | null> {
  const token = bearer.exec(authorization ?? '')?.[1]
  if (!token) return null
  const hash = tokenHash(token)
  const row = await state
    .as(systemScope)
    .selectFrom('metrics_token')
    .innerJoin('region', 'region.region_id', 'metrics_token.region_id')
    .select(['metrics_token.region_id', 'operator', 'last_used_time', 'region.organization_id'])
    .where('token_hash', '=', hash)
    .where('revoked_time', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const since = new Date(at.getTime() - usedEvery)
  if (!row.last_used_time || row.last_used_time < since)
    await state
      .as(systemScope)
      .updateTable('metrics_token')
      .set({ last_used_time: at })
      .where('token_hash', '=', hash)
      .where((is) => is.or([is('last_used_time', 'is', null), is('last_used_time', '<', since)]))
      .execute()
  const { region_id: regionId, organization_id: organizationId, operator } = row
  return {
    tokenId: hash,
    regionId,
    scope:
      operator === null
        ? regionScope(organizationId, regionId)
        : viewerScope(organizationId, [regionId], hash, [operator]),
  }
}
