import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'

interface Row {
  id: string
  attributes: string
}

/** Stops of an operator as they were received, by id; all of them where no ids are given. */
export async function knownStops(store: Facts, scope: Scope, regionId: string, operator: string, ids: readonly string[] | null): Promise<Map<string, string>> {
  const those = ids ? sql`and stop_id in ${bind('Array(String)', ids)}` : sql``
  const rows = await store.rows<Row>(scope, sql`
    select stop_id as id, attributes from ${latest('stops')}
    where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)} ${those}
    order by stop_id`)
  return new Map(rows.map(({ id, attributes }) => [id, attributes]))
}
