import type { DependentSource } from '#server/geography/dependents/dependents.ts'
import { canReadOperator } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Reports the feeds that create a layer, because its deleted shapes would reappear with the next pull. */
export const feedDependents =
  (state: State): DependentSource =>
  async (scope, layer) => {
    const rows = await state
      .as(scope)
      .selectFrom('feed')
      .select(['feed_id', 'operator', 'name', 'settings'])
      .where('region_id', '=', layer.region_id)
      .orderBy('name')
      .execute()
    return rows
      .filter(
        ({ operator, settings }) =>
          canReadOperator(scope, operator) && settings['zonesLayer'] === layer.shape_layer_uuid,
      )
      .map(({ feed_id: id, name }) => ({ kind: 'feed', id, name, count: null }))
  }
