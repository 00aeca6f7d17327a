import { randomBytes } from 'node:crypto'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { tokenHash } from './token-hash.ts'

/** A token with which an operator pushes, without the token itself. */
export interface AgencyToken {
  tokenId: string
  feedId: string
  /** Its last characters, to distinguish tokens. */
  hint: string
  createdBy: string | null
  createdTime: string
  lastUsedTime: string | null
  revokedTime: string | null
}

const prefix = 'mds_'
const cdsPrefix = 'cds_'
const hintLength = 4

interface Row {
  token_hash: string
  feed_id: string
  hint: string
  created_by: string | null
  created_time: Date
  last_used_time: Date | null
  revoked_time: Date | null
}

const read = (row: Row): AgencyToken => ({
  tokenId: row.token_hash,
  feedId: row.feed_id,
  hint: row.hint,
  createdBy: row.created_by,
  createdTime: row.created_time.toISOString(),
  lastUsedTime: row.last_used_time?.toISOString() ?? null,
  revokedTime: row.revoked_time?.toISOString() ?? null,
})

/** Creates a token for a feed in the Scope that operators push to. The token itself is returned only here. `by`: the creator. */
export async function makeAgencyToken(
  state: State,
  scope: Scope,
  feedId: string,
  by: string | null,
  at: Date,
): Promise<AgencyToken & { token: string }> {
  const feed = await state
    .as(scope)
    .selectFrom('feed')
    .select(['region_id', 'operator', 'kind'])
    .where('feed_id', '=', feedId)
    .executeTakeFirst()
  if (!feed) throw new Problem('not_found', 'There is no such feed.')
  if (feed.kind !== 'cds_push' && (feed.kind !== 'mds_agency' || !feed.operator))
    throw new Problem(
      'bad_request',
      'Tokens are only for feeds of the kind MDS Agency with an operator, or CDS Events.',
    )
  const token = (feed.kind === 'cds_push' ? cdsPrefix : prefix) + randomBytes(32).toString('base64url')
  const row = await state
    .as(scope)
    .insertInto('agency_token')
    .values({
      token_hash: tokenHash(token),
      feed_id: feedId,
      region_id: feed.region_id,
      hint: token.slice(-hintLength),
      created_by: by,
      created_time: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...read(row), token }
}

/** Revokes a token of the Scope: the next push with it is refused. */
export async function revokeAgencyToken(
  state: State,
  scope: Scope,
  feedId: string,
  tokenId: string,
  at: Date,
): Promise<AgencyToken> {
  const of = (): Promise<Row | undefined> =>
    state
      .as(scope)
      .selectFrom('agency_token')
      .selectAll()
      .where('feed_id', '=', feedId)
      .where('token_hash', '=', tokenId)
      .executeTakeFirst()
  await state
    .as(scope)
    .updateTable('agency_token')
    .set({ revoked_time: at })
    .where('feed_id', '=', feedId)
    .where('token_hash', '=', tokenId)
    .where('revoked_time', 'is', null)
    .execute()
  const row = await of()
  if (!row) throw new Problem('not_found', 'There is no such token.')
  return read(row)
}

/** The tokens of a feed in the Scope, newest first. */
export async function listAgencyTokens(state: State, scope: Scope, feedId: string): Promise<AgencyToken[]> {
  const rows = await state
    .as(scope)
    .selectFrom('agency_token')
    .selectAll()
    .where('feed_id', '=', feedId)
    .orderBy('created_time', 'desc')
    .orderBy('token_hash')
    .execute()
  return rows.map(read)
}
