import { systemScope } from '#server/identity/scope.ts'
import { type MdsMode, mdsModes } from '../mds/mds-context.ts'
import type { State } from '#server/stores/state.ts'
import { tokenHash } from './token-hash.ts'

/** The operator of a token. */
export interface Pusher {
  feedId: string
  organizationId: string
  regionId: string
  operator: string
  /** '' if the operator's provider id is unknown. */
  providerId: string
  mode: MdsMode | null
}

/** The last use of a token is stored at most once per this time, ms. */
const lastUseIntervalMs = 60_000
const bearer = /^Bearer +([\w.~+/=-]{20,200})$/i

/** The pusher of an Authorization header; null if the token is missing, unknown, revoked, or its feed is switched off. */
export async function findPusher(
  state: State,
  authorization: string | undefined,
  at: Date,
): Promise<Pusher | null> {
  const token = bearer.exec(authorization ?? '')?.[1]
  if (!token) return null
  const hash = tokenHash(token)
  const row = await state
    .as(systemScope)
    .selectFrom('agency_token')
    .innerJoin('feed', 'feed.feed_id', 'agency_token.feed_id')
    .innerJoin('region', 'region.region_id', 'feed.region_id')
    .leftJoin('operator', (join) =>
      join
        .onRef('operator.organization_id', '=', 'region.organization_id')
        .onRef('operator.slug', '=', 'feed.operator'),
    )
    .select([
      'feed.feed_id',
      'feed.region_id',
      'feed.operator',
      'feed.settings',
      'region.organization_id',
      'operator.provider_id',
      'agency_token.last_used_time',
    ])
    .where('agency_token.token_hash', '=', hash)
    .where('agency_token.revoked_time', 'is', null)
    .where('feed.enabled', '=', true)
    .executeTakeFirst()
  if (!row?.operator) return null
  const since = new Date(at.getTime() - lastUseIntervalMs)
  if (!row.last_used_time || row.last_used_time < since)
    await state
      .as(systemScope)
      .updateTable('agency_token')
      .set({ last_used_time: at })
      .where('token_hash', '=', hash)
      .where((is) => is.or([is('last_used_time', 'is', null), is('last_used_time', '<', since)]))
      .execute()
  return {
    feedId: row.feed_id,
    organizationId: row.organization_id,
    regionId: row.region_id,
    operator: row.operator,
    providerId: row.provider_id ?? '',
    mode: mdsModes.find((each) => each === row.settings['mode']) ?? null,
  }
}
