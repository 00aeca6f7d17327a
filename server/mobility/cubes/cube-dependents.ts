import type { DependentsOf } from '#server/geography/dependents/dependents.ts'
import type { State } from '#server/stores/state.ts'

/** The hourly sums of a layer: they go with it, and those of a shape with the shape. */
export const cubeDependents = (state: State): DependentsOf => async (scope, layer) => {
  const row = await state.as(scope).selectFrom('cube_layer').select(['status', 'done_hours']).where('layer_id', '=', layer.shape_layer_uuid).executeTakeFirst()
  if (!row || (row.status !== 'ready' && row.done_hours === 0)) return []
  return [{ kind: 'cubes', id: null, name: `Hourly sums of ${layer.layer_name}`, count: scope.operators ? null : row.done_hours }]
}
