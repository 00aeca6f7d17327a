import type { Selectable } from 'kysely'
import type { Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** `waiting`: nothing is computed yet. `running`: the past is being filled, newest month first. */
export const cubeStatuses = ['waiting', 'running', 'ready', 'failed'] as const
export type CubeLayerStatus = (typeof cubeStatuses)[number]

/** A layer with cubes: which shapes they contain (`keys`), which are still `missing`, and the progress. */
export type CubeLayer = Omit<Selectable<StateTables['cube_layer']>, 'status'> & { status: CubeLayerStatus }

/** Lists the layers of a region that have cubes. */
export async function listCubeLayers(store: Store, regionId: string): Promise<CubeLayer[]> {
  const rows = await store
    .selectFrom('cube_layer')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('layer_id')
    .execute()
  return rows.map((row) => ({ ...row, status: row.status as CubeLayerStatus }))
}

/** Inserts or replaces the row of a layer. */
export async function saveCubeLayer(store: Store, { keys, missing, ...row }: CubeLayer): Promise<void> {
  const values = { ...row, keys: JSON.stringify(keys), missing: JSON.stringify(missing) }
  await store
    .insertInto('cube_layer')
    .values(values)
    .onConflict((conflict) => conflict.column('layer_id').doUpdateSet(values))
    .execute()
}

/**
 * Updates a layer's row, unless its content or settings have changed since it was read.
 * @param change with `isFilled`, no shapes are missing any more
 */
export async function updateCubeLayer(
  store: Store,
  { layer_id: layerId, content_hash: contentHash, basis }: CubeLayer,
  change: Partial<Pick<CubeLayer, 'status' | 'problem' | 'fill_until' | 'done_hours' | 'changed_time'>> & {
    isFilled?: boolean
  },
): Promise<void> {
  const { isFilled, ...values } = change
  await store
    .updateTable('cube_layer')
    .set({ ...values, ...(isFilled ? { missing: '[]' } : {}) })
    .where('layer_id', '=', layerId)
    .where('content_hash', '=', contentHash)
    .where('basis', '=', basis)
    .execute()
}
