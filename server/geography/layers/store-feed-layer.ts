import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { BoundaryReading } from '../boundary-files/boundary-content.ts'
import { lockLayer } from '../shapes/edit/lock-layer.ts'
import { nameShapes } from '../boundary-files/name-shapes.ts'
import { createLayer } from './save-layer.ts'
import { summarizeLayer } from './summarize-layer.ts'
import { writeShapes } from '../shapes/write-shapes.ts'

interface FeedLayer {
  regionId: string
  /** The current layer; null if there is none. */
  layerId: string | null
  name: string
  reading: BoundaryReading
  at: Date
}

/**
 * Updates the layer of a feed, which users cannot edit, to the feed's content. If there is none or it was
 * deleted, a new layer is created. Shapes with the same name retain their id. Returns the id of the layer.
 */
export async function storeFeedLayer(
  state: State,
  scope: Scope,
  { regionId, layerId, name, reading, at }: FeedLayer,
): Promise<string> {
  const existing =
    layerId === null
      ? undefined
      : await state
          .as(scope)
          .selectFrom('layer')
          .select('layer_id')
          .where('region_id', '=', regionId)
          .where('layer_id', '=', layerId)
          .executeTakeFirst()
  if (!existing)
    return (
      await createLayer(state, scope, {
        regionId,
        reading,
        newLayer: { layer_name: name, name_property: 'name', editable: false },
        at,
      })
    ).shape_layer_uuid
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      await lockLayer(store, regionId, existing.layer_id)
      await writeShapes(
        { store, regionId, layerId: existing.layer_id, userId: null, at },
        nameShapes(reading, 'name'),
      )
      await summarizeLayer(store, existing.layer_id, null, at)
    })
  return existing.layer_id
}
