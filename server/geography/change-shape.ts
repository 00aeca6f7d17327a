import { randomUUID } from 'node:crypto'
import type { Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from './find-layer.ts'
import { findShape } from './find-shapes.ts'
import { geometryBounds } from './formats/geometry-bounds.ts'
import { repairShape } from './repair-shape.ts'
import { summariseLayer } from './summarise-layer.ts'

interface Change {
  shape_name?: string | undefined
  shape_description?: string | null | undefined
  geom?: Geometry | undefined
}

/** A geometry that a person sent: coordinates in range, repaired; nothing left is a fault. */
function sound(given: Geometry): Geometry {
  try {
    const [west, south, east, north] = geometryBounds([given])
    if (!(west >= -180 && east <= 180 && south >= -90 && north <= 90)) throw new Problem('validation_error', 'body.geom: longitudes run from -180 to 180 and latitudes from -90 to 90.')
    // Without a position there are no bounds, nor anything to keep.
    const { geometry } = west <= east ? repairShape(given) : { geometry: null }
    if (geometry) return geometry as Geometry
  } catch (error) {
    if (error instanceof Problem) throw error
  }
  throw new Problem('validation_error', 'body.geom: nothing of this geometry can be kept. Rings need at least four positions, the last like the first.')
}

/** Adds a shape to a layer. */
export async function createShape(state: State, scope: Scope, regionId: string, given: Change & { shape_layer_uuid: string; shape_name: string; geom: Geometry }, at: Date): Promise<Shape> {
  await findLayer(state, scope, regionId, given.shape_layer_uuid)
  const id = randomUUID()
  const geometry = JSON.stringify(sound(given.geom))
  await state.as(scope).transaction().execute(async (store) => {
    const last = await store.selectFrom('shape').select((of) => of.fn.max('position').as('position')).where('layer_id', '=', given.shape_layer_uuid).executeTakeFirst()
    await store
      .insertInto('shape')
      .values({ shape_uuid: id, region_id: regionId, layer_id: given.shape_layer_uuid, position: (last?.position ?? -1) + 1, shape_id: id, name: given.shape_name, description: given.shape_description ?? null, geometry, created_time: at, modified_time: at })
      .execute()
    await store.insertInto('shape_geometry').values({ shape_uuid: id, region_id: regionId, geometry, valid_from: at, changed_by: scope.userId }).execute()
    await summariseLayer(store, given.shape_layer_uuid, at)
  })
  return findShape(state, scope, regionId, id)
}

/** Renames a shape or replaces its geometry; the earlier geometry stays in the history. */
export async function changeShape(state: State, scope: Scope, regionId: string, shapeId: string, change: Change, at: Date): Promise<Shape> {
  const shape = await findShape(state, scope, regionId, shapeId)
  const geometry = change.geom && JSON.stringify(sound(change.geom))
  await state.as(scope).transaction().execute(async (store) => {
    const columns = {
      ...(change.shape_name === undefined ? {} : { name: change.shape_name }),
      ...(change.shape_description === undefined ? {} : { description: change.shape_description }),
      ...(geometry ? { geometry } : {}),
    }
    if (Object.keys(columns).length) await store.updateTable('shape').set({ ...columns, modified_time: at }).where('shape_uuid', '=', shapeId).execute()
    if (geometry) {
      await store.updateTable('shape_geometry').set({ valid_until: at }).where('shape_uuid', '=', shapeId).where('valid_until', 'is', null).execute()
      await store.insertInto('shape_geometry').values({ shape_uuid: shapeId, region_id: regionId, geometry, valid_from: at, changed_by: scope.userId }).execute()
    }
    await summariseLayer(store, shape.shape_layer_uuid, at)
  })
  return findShape(state, scope, regionId, shapeId)
}

/** Deletes a shape. */
export async function deleteShape(state: State, scope: Scope, regionId: string, shapeId: string, at: Date): Promise<number> {
  const shape = await findShape(state, scope, regionId, shapeId)
  await state.as(scope).transaction().execute(async (store) => {
    await store.deleteFrom('shape').where('shape_uuid', '=', shapeId).execute()
    await summariseLayer(store, shape.shape_layer_uuid, at)
  })
  return 1
}
