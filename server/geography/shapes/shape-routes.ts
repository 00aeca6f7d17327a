import * as contract from '#contract/geography.ts'
import * as history from '#contract/geography-history.ts'
import * as use from '#contract/geography-use.ts'
import { type Call, type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { exportLayer } from '../boundary-files/export/export-layer.ts'
import type { Dependents } from '../dependents/dependents.ts'
import { findLayer } from '../layers/find-layer.ts'
import { findShapesWithin } from '../membership/shapes-within.ts'
import { changeShape, createShape, deleteShape } from './change-shape.ts'
import { changeShapes } from './change-shapes.ts'
import { measureCurbLengths } from './curb-lengths.ts'
import { findLayerHistory, findShapeHistory } from './find-history.ts'
import { findLayerIdOfShape, findShape, findLayerGeometries, listShapes } from './find-shapes.ts'
import { listShapeRows } from './list-shape-rows.ts'
import { restoreShape } from './restore-shape.ts'

interface ShapeContext {
  state: State
  dependents: Dependents
}

export function shapeRoutes(context: ShapeContext): Route[] {
  const { state } = context
  return [
    route(contract.listShapes, ({ viewer, params, query }) =>
      listShapes(state, viewer.scope, params.region_id, query),
    ),
    route(contract.listShapesLegacy, async ({ viewer, body }) => ({
      data: await findShapesWithin(state, viewer.scope, body),
    })),
    route(contract.getShape, ({ viewer, params }) =>
      findShape(state.as(viewer.scope), params.region_id, params.shape_uuid),
    ),
    route(contract.createShape, (call) => createShape(state, call)),
    route(contract.changeShape, (call) => changeShape(state, call)),
    route(contract.deleteShape, async (call) => ({ deleted: await deleteIfConfirmed(context, call) })),
    route(history.changeShapes, (call) => changeIfConfirmed(context, call)),
    route(contract.getShapeHistory, async ({ viewer, params }) => ({
      items: await findShapeHistory(state.as(viewer.scope), params.region_id, params.shape_uuid),
    })),
    route(history.listLayerHistory, (call) => findLayerHistory(state, call)),
    route(history.restoreShape, (call) => restoreShape(state, call)),
    route(use.listShapeRows, (call) => listShapeRows(state, call)),
    route(use.exportLayer, (call) => exportLayer(state, call)),
    route(use.getCurbLengths, async ({ viewer: { scope }, params }) => {
      await findLayer(state, scope, params.region_id, params.shape_layer_uuid)
      return measureCurbLengths(await findLayerGeometries(state, scope, params.shape_layer_uuid))
    }),
  ]
}

/** Deletes a shape; if it has dependents, only with confirmation. Returns the number of shapes. */
async function deleteIfConfirmed(
  { state, dependents }: ShapeContext,
  call: Call<typeof contract.deleteShape>,
): Promise<number> {
  const { viewer, params, query } = call
  const { region_id: regionId, shape_uuid } = params
  const shape = { shape_uuid, if_modified_time: query.if_modified_time }
  const layerId = await findLayerIdOfShape(state.as(viewer.scope), regionId, shape)
  const layer = await findLayer(state, viewer.scope, regionId, layerId)
  await dependents.requireDeletable(query.confirm, viewer.scope, layer, [shape_uuid])
  return deleteShape(state, call)
}

/** Changes shapes of a layer; if deleted ones have dependents, only with confirmation. */
async function changeIfConfirmed(
  { state, dependents }: ShapeContext,
  call: Call<typeof history.changeShapes>,
) {
  const { viewer, params, body } = call
  const deletedIds = body.deleted.map(({ shape_uuid: id }) => id)
  if (deletedIds.length) {
    const layer = await findLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid)
    await dependents.requireDeletable(body.confirm, viewer.scope, layer, deletedIds)
  }
  return changeShapes(state, call)
}
