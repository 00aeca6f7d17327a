import { hash } from 'node:crypto'
import { canReadOperator, type Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { GbfsPart } from './gbfs-part.ts'

/** The newest text of a feed's file. */
export interface GbfsBody {
  feedId: string
  operator: string
  /** The file's name, such as `vehicle_status`. */
  endpoint: string
  body: string
  /** Milliseconds since 1970. */
  received: number
}

interface FeedRef {
  regionId: string
  feedId: string
  operator: string
}

/** Stores the text of a feed's file unless a newer one is stored. Returns whether it is the newest. */
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
  const stored = await store
    .selectFrom('gbfs_body')
    .select(['content_hash', 'received_time', 'operator'])
    .where('region_id', '=', regionId)
    .where('feed_id', '=', feedId)
    .where('endpoint', '=', endpoint)
    .executeTakeFirst()
  if (stored && stored.received_time.getTime() > received) return false
  if (stored?.content_hash === row.content_hash && stored.operator === operator) return true
  const { region_id: _region, feed_id: _feed, endpoint: _endpoint, ...changes } = row
  await store
    .insertInto('gbfs_body')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['feed_id', 'endpoint'])
        .doUpdateSet(changes)
        .where('gbfs_body.received_time', '<=', row.received_time),
    )
    .execute()
  return true
}

const bodyColumns = ['feed_id', 'operator', 'endpoint', 'body', 'received_time'] as const
const toBody = (row: {
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

/** Finds the newest texts of all files of a feed. */
export async function findBodies(
  store: Store,
  { regionId, feedId }: Pick<FeedRef, 'regionId' | 'feedId'>,
): Promise<GbfsBody[]> {
  return (
    await store
      .selectFrom('gbfs_body')
      .select(bodyColumns)
      .where('region_id', '=', regionId)
      .where('feed_id', '=', feedId)
      .execute()
  ).map(toBody)
}

/** Finds a file's newest texts from all feeds of a region that the viewer may see. `endpoints`: its names. */
export async function findBodiesByEndpoint(
  state: State,
  scope: Scope,
  regionId: string,
  endpoints: readonly string[],
): Promise<GbfsBody[]> {
  const rows = await state
    .as(scope)
    .selectFrom('gbfs_body')
    .select(bodyColumns)
    .where('region_id', '=', regionId)
    .where('endpoint', 'in', endpoints)
    .orderBy('operator')
    .orderBy('received_time', 'desc')
    .execute()
  return rows.filter(({ operator }) => canReadOperator(scope, operator)).map(toBody)
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
