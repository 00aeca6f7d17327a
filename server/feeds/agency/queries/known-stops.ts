import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'

/** A registered stop: its record as JSON, and the time of its version, which later changes must exceed. */
export interface KnownStop {
  attributes: string
  /** Milliseconds since 1970. */
  versionTime: number
}

interface StopRow {
  id: string
  attributes: string
  ms: string
}

/** The number of stops per statement. */
const batchSize = 2000

/** Finds stops of an operator by id; all if `ids` is null. */
export async function findStops(
  facts: Facts,
  scope: Scope,
  { regionId, operator, ids }: { regionId: string; operator: string; ids: readonly string[] | null },
): Promise<Map<string, KnownStop>> {
  const stops = new Map<string, KnownStop>()
  // Without ids, one batch has all stops.
  for (let from = 0; from < (ids?.length ?? 1); from += batchSize) {
    const idFilter = ids
      ? sql`and stop_id in ${bind('Array(String)', ids.slice(from, from + batchSize))}`
      : sql``
    // The lowest 20 bits of a version are of the record's content, the others its time.
    const rows = await facts.rows<StopRow>(
      scope,
      sql`
        select stop_id as id, attributes, toString(bitShiftRight(version, 20)) as ms
        from ${latest('stops')}
        where
          region_id = ${bind('String', regionId)}
          and operator = ${bind('String', operator)} ${idFilter}
        order by stop_id`,
    )
    for (const { id, attributes, ms } of rows) stops.set(id, { attributes, versionTime: Number(ms) })
  }
  return stops
}
