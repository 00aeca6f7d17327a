import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { instant } from '#server/stores/instant.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import type { SnapshotIdentity } from './store-snapshot.ts'

/** The time (ms) of the last stored snapshot of a feed within some ms of a moment; null if there is none. */
export async function findSnapshotNear(
  store: Facts,
  scope: Scope,
  { regionId, operator, feedId, at }: SnapshotIdentity,
  within: number,
): Promise<number | null> {
  const [found] = await store.rows<{ n: string; at: string }>(
    scope,
    sql`select count() as n, toString(toUnixTimestamp64Milli(max(snapshot_time))) as at from ${facts('vehicle_snapshots')}
      where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)} and feed_id = ${bind('String', feedId)}
        and snapshot_time > ${instant(at - within)} and snapshot_time < ${instant(at + within)}`,
  )
  return found && Number(found.n) > 0 ? Number(found.at) : null
}
