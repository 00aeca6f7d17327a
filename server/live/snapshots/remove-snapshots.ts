import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'

/** Removes all snapshots of one feed or file of a region; answers how many rows they had. */
export async function removeSnapshots(
  store: Facts,
  scope: Scope,
  regionId: string,
  feedId: string,
): Promise<number> {
  const those = sql`region_id = ${bind('String', regionId)} and feed_id = ${bind('String', feedId)}`
  const [found] = await store.rows<{ n: string }>(
    scope,
    sql`select count() as n from ${latest('vehicle_snapshots')} where ${those}`,
  )
  await store.remove(scope, 'vehicle_snapshots', those)
  return Number(found?.n ?? 0)
}
