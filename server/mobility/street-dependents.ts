import type { DependentsOf } from '#server/geography/dependents/dependents.ts'
import type { State } from '#server/stores/state.ts'
import { streetLevel } from './trip-routes/streets.ts'

/** The streets that trips are matched to: of several layers of that level the one that was there first. */
export const streetDependents = (state: State): DependentsOf => async (scope, { shape_layer_uuid: id, region_id: regionId, level }) => {
  if (level !== streetLevel) return []
  const row = await state.as(scope).selectFrom('layer').select('layer_id').where('region_id', '=', regionId).where('level', '=', streetLevel).orderBy('created_time').executeTakeFirst()
  return row?.layer_id === id ? [{ kind: 'streets', id: null, name: 'Ways of trips', count: null }] : []
}
