import type { Selectable } from 'kysely'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

export const cubeStatuses = ['waiting', 'running', 'ready', 'failed'] as const
export type CubeStatusWord = (typeof cubeStatuses)[number]

/** How far the cubes of a layer are. */
export type CubeLayer = Omit<Selectable<StateTables['cube_layer']>, 'status'> & { status: CubeStatusWord }

/** What is computed of each layer of a region. */
export async function cubeLayers(state: State, scope: Scope, regionId: string): Promise<CubeLayer[]> {
  const rows = await state
    .as(scope)
    .selectFrom('cube_layer')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('layer_id')
    .execute()
  return rows.map((row) => ({ ...row, status: row.status as CubeStatusWord }))
}

export async function saveCubeLayer(
  state: State,
  scope: Scope,
  { keys, missing, ...row }: CubeLayer,
): Promise<void> {
  const values = { ...row, keys: JSON.stringify(keys), missing: JSON.stringify(missing) }
  await state
    .as(scope)
    .insertInto('cube_layer')
    .values(values)
    .onConflict((conflict) => conflict.column('layer_id').doUpdateSet(values))
    .execute()
}

/** Changes some of a layer's row, if it is still of the same content. */
export async function updateCubeLayer(
  state: State,
  scope: Scope,
  { layer_id: layerId, content_hash: contentHash, basis }: CubeLayer,
  change: Partial<Pick<CubeLayer, 'status' | 'problem' | 'fill_until' | 'done_hours' | 'changed_time'>> & {
    isFilled?: boolean
  },
): Promise<void> {
  const { isFilled, ...rest } = change
  await state
    .as(scope)
    .updateTable('cube_layer')
    .set({ ...rest, ...(isFilled ? { missing: '[]' } : {}) })
    .where('layer_id', '=', layerId)
    .where('content_hash', '=', contentHash)
    .where('basis', '=', basis)
    .execute()
}
