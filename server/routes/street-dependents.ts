import type { DependentSource } from '#server/geography/dependents/dependents.ts'
import type { State } from '#server/stores/state.ts'
import { streetLevel } from './street-grids.ts'

/**
 * The layer of streets that trips are matched to: of several layers of that level the first one made. Without it routes end;
 * of a single street only computed volumes go, which hold nothing up.
 */
export const streetDependents =
  (state: State): DependentSource =>
  async (scope, { shape_layer_uuid: id, region_id: regionId, level }, shapeIds) => {
    if (level !== streetLevel || shapeIds) return []
    const row = await state
      .as(scope)
      .selectFrom('layer')
      .select('layer_id')
      .where('region_id', '=', regionId)
      .where('level', '=', streetLevel)
      .orderBy('created_time')
      .executeTakeFirst()
    return row?.layer_id === id ? [{ kind: 'streets', id: null, name: 'Ways of trips', count: null }] : []
  }
