import type { Selectable } from 'kysely'
import { Problem } from '#server/http/problem.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Store } from '#server/stores/state.ts'

/**
 * Locks a layer until the end of the transaction, so that conflict checks remain valid and its summary
 * includes all shapes.
 */
export async function lockLayer(
  store: Store,
  regionId: string,
  layerId: string,
): Promise<Selectable<StateTables['layer']>> {
  return store
    .selectFrom('layer')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('layer_id', '=', layerId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such layer in this region.'))
}

/** Locks a layer for changes by a user. @throws Problem `conflict` if it is not editable. */
export async function lockEditable(
  store: Store,
  regionId: string,
  layerId: string,
): Promise<Selectable<StateTables['layer']>> {
  const row = await lockLayer(store, regionId, layerId)
  if (!row.editable)
    throw new Problem(
      'conflict',
      `The layer “${row.name}” cannot be edited: it is locked, or a feed maintains it. See its settings.`,
    )
  return row
}
