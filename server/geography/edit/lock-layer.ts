import type { Kysely, Selectable } from 'kysely'
import { Problem } from '#server/http/problem.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** One writer of a layer at a time, until the transaction ends: what was compared stays so until it is written, and the layer's sums miss nobody's shapes. */
export async function lockLayer(
  store: Kysely<StateTables>,
  regionId: string,
  layerId: string,
): Promise<Selectable<StateTables['layer']>> {
  const row = await store
    .selectFrom('layer')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('layer_id', '=', layerId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such layer in this region.')
  return row
}

/** The same of a layer whose shapes are to be changed by a person. */
export async function lockEditable(
  store: Kysely<StateTables>,
  regionId: string,
  layerId: string,
): Promise<Selectable<StateTables['layer']>> {
  const row = await lockLayer(store, regionId, layerId)
  if (!row.editable)
    throw new Problem(
      'conflict',
      `The layer “${row.name}” cannot be edited: it is locked, or a feed keeps it. Its settings say which.`,
    )
  return row
}
