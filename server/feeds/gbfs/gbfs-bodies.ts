import { hash } from 'node:crypto'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { GbfsPart } from './gbfs-part.ts'

/** The newest text of one file of a feed. */
export interface GbfsBody {
  feedId: string
  operator: string
  endpoint: string
  body: string
  received: number
}

interface FeedRef {
  regionId: string
  feedId: string
  operator: string
}

/** Stores the newest text of a file of a feed; older ones are ignored. Returns whether it is the newest. */
export async function storeBody(
  store: Store,
  { regionId, feedId, operator }: FeedRef,
  { endpoint, body, lastUpdated }: Pick<GbfsPart, 'endpoint' | 'body' | 'lastUpdated'>,
  received: number,
): Promise<boolean> {
  // PostgreSQL accepts every character except NUL.
  const text = body.replaceAll('\0', '')
  const row = {
    region_id: regionId,
    feed_id: feedId,
    operator,
    endpoint,
    body: text,
    content_hash: hash('sha256', text).slice(0, 32),
    last_updated: lastUpdated === null ? null : new Date(lastUpdated),
    received_time: new Date(received),
  }
  const known = await store
    .selectFrom('gbfs_body')
    .select(['content_hash', 'received_time', 'operator'])
    .where('region_id', '=', regionId)
    .where('feed_id', '=', feedId)
    .where('endpoint', '=', endpoint)
    .executeTakeFirst()
  if (known && known.received_time.getTime() > received) return false
  if (known?.content_hash === row.content_hash && known.operator === operator) return true
  const { region_id: _region, feed_id: _feed, endpoint: _endpoint, ...changed } = row
  await store
    .insertInto('gbfs_body')
    .values(row)
    .onConflict((clash) =>
      clash
        .columns(['feed_id', 'endpoint'])
        .doUpdateSet(changed)
        .where('gbfs_body.received_time', '<=', row.received_time),
    )
    .execute()
  return true
}

const shown = ['feed_id', 'operator', 'endpoint', 'body', 'received_time'] as const
const bodyOf = (row: {
  feed_id: string
  operator: string
  endpoint: string
  body: string
  received_time: Date
}): GbfsBody => ({
  feedId: row.feed_id,
  operator: row.operator,
  endpoint: row.endpoint,
  body: row.body,
  received: row.received_time.getTime(),
})

/** The newest texts of all files of a feed. */
export async function bodiesOf(
  store: Store,
  { regionId, feedId }: Pick<FeedRef, 'regionId' | 'feedId'>,
): Promise<GbfsBody[]> {
  return (
    await store
      .selectFrom('gbfs_body')
      .select(shown)
      .where('region_id', '=', regionId)
      .where('feed_id', '=', feedId)
      .execute()
  ).map(bodyOf)
}

/** The newest text of one file of each feed of a region, by any of its names; only of the Scope's operators. */
export async function bodiesNamed(
  state: State,
  scope: Scope,
  regionId: string,
  endpoints: readonly string[],
): Promise<GbfsBody[]> {
  const rows = await state
    .as(scope)
    .selectFrom('gbfs_body')
    .select(shown)
    .where('region_id', '=', regionId)
    .where('endpoint', 'in', endpoints)
    .orderBy('operator')
    .orderBy('received_time', 'desc')
    .execute()
  return rows.filter(({ operator }) => canReadOperator(scope, operator)).map(bodyOf)
}

/** Merges discovered settings into the settings of a feed. */
export async function mergeSettings(
  store: Store,
  { regionId, feedId }: Pick<FeedRef, 'regionId' | 'feedId'>,
  settings: Record<string, unknown>,
): Promise<void> {
  await store
    .updateTable('feed')
    .set((eb) => ({
      settings: eb.cast<string>(
        eb('settings', '||', eb.cast<Record<string, unknown>>(eb.val(JSON.stringify(settings)), 'jsonb')),
        'jsonb',
      ),
    }))
    .where('region_id', '=', regionId)
    .where('feed_id', '=', feedId)
    .execute()
}
