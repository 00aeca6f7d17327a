import type { Kysely } from 'kysely'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { ImportedState } from './imported-state.ts'

/** Shapes that stand for geographies of a feed, by their ids there. */
export interface PlacedShapes {
  layerId: string
  shapesOf: ReadonlyMap<string, string[]>
}

/** The shapes that were made when a policy came in, where its geographies are as they were then; null where they changed, or where a shape is gone. */
export async function oldShapes(
  store: Kysely<StateTables>,
  regionId: string,
  imported: ImportedState | null,
  ground: string,
): Promise<PlacedShapes | null> {
  if (imported?.ground !== ground) return null
  const ids = Object.values(imported.shapes).flat()
  if (!ids.length) return null
  const rows = await store
    .selectFrom('shape')
    .select(['shape_uuid', 'layer_id'])
    .where('region_id', '=', regionId)
    .where('shape_uuid', 'in', ids)
    .execute()
  const [layerId, other] = new Set(rows.map((row) => row.layer_id))
  return layerId === undefined || other !== undefined || rows.length < new Set(ids).size
    ? null
    : { layerId, shapesOf: new Map(Object.entries(imported.shapes)) }
}
