import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'

/** A stop as it was received, and the time of its version: later changes replace it. */
export interface KnownStop {
  attributes: string
  /** Ms since 1970. */
  at: number
}

interface Row {
  id: string
  attributes: string
  ms: string
}

/** Stops per statement. */
const batchSize = 2000

/** Stops of an operator by id, by default all. A version starts with its time, followed by 20 bits of its content. */
export async function knownStops(
  store: Facts,
  scope: Scope,
  regionId: string,
  operator: string,
  ids: readonly string[] | null,
): Promise<Map<string, KnownStop>> {
  const known = new Map<string, KnownStop>()
  for (let from = 0; from < (ids?.length ?? 1); from += batchSize) {
    const those = ids
      ? sql`and stop_id in ${bind('Array(String)', ids.slice(from, from + batchSize))}`
      : sql``
    const rows = await store.rows<Row>(
      scope,
      sql`
      select stop_id as id, attributes, toString(bitShiftRight(version, 20)) as ms from ${latest('stops')}
      where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)} ${those}
      order by stop_id`,
    )
    for (const { id, attributes, ms } of rows) known.set(id, { attributes, at: Number(ms) })
  }
  return known
}
