import * as contract from '#contract/geography.ts'
import type { Layer } from '#contract/geography.ts'
import { Problem } from '#server/http/problem.ts'
import { type RawAnswer, type Route, route } from '#server/http/route.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { changeLayer, deleteLayer } from './change-layer.ts'
import { changeShape, createShape, deleteShape } from './change-shape.ts'
import { findLayer, listLayers } from './find-layer.ts'
import { findShape, listShapes, shapeHistory } from './find-shapes.ts'
import type { LayerMembership } from './layer-membership.ts'
import { LayerTiles } from './layer-tiles.ts'
import { previewOf } from './preview-boundaries.ts'
import { createLayer, replaceShapes } from './save-layer.ts'
import { keepReading, keptReading, readBoundaryFile } from './take-boundary-upload.ts'
import { sendTile } from './send-tile.ts'

export function geographyRoutes(state: State, membership: LayerMembership, dataDir: string): Route[] {
  const tiles = new LayerTiles(state)
  /** The layer with its membership index built, so that the first question is quick and overlaps are known. */
  const ready = async (scope: Scope, layer: Layer): Promise<Layer> => {
    await membership.of(scope, layer, 0)
    return findLayer(state, scope, layer.region_id, layer.shape_layer_uuid)
  }
  return [
    route(contract.listLayers, async ({ viewer, params }) => ({ items: await listLayers(state, viewer.scope, params.region_id) })),
    route(contract.listLayersLegacy, async ({ viewer, query }) => ({ data: await listLayers(state, viewer.scope, query.region_id) })),
    route(contract.getLayer, ({ viewer, params }) => findLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid)),
    route(contract.previewBoundaries, async ({ viewer, params, query, body, at }) => {
      await listLayers(state, viewer.scope, params.region_id)
      const reading = await readBoundaryFile(query.file_name, body)
      return previewOf(reading, await keepReading(dataDir, params.region_id, reading, at))
    }),
    route(contract.createLayer, async ({ viewer, params, body, at }) => {
      await listLayers(state, viewer.scope, params.region_id)
      const reading = await keptReading(dataDir, params.region_id, body.upload_uuid)
      const layer = await createLayer(state, viewer.scope, params.region_id, reading, body, at)
      return { layer: await ready(viewer.scope, layer), notes: reading.notes }
    }),
    route(contract.uploadShapes, async ({ viewer, params, query, body, at }) => {
      await listLayers(state, viewer.scope, params.region_id)
      const reading = await readBoundaryFile(query.file_name, body)
      const { shape_layer_uuid: layerId, name_property = null } = query
      const named = { layer_name: query.layer_name ?? query.file_name.replace(/\.[^.]+$/, ''), name_property, level: query.level }
      const layer = layerId
        ? await replaceShapes(state, viewer.scope, params.region_id, layerId, reading, name_property, at)
        : await createLayer(state, viewer.scope, params.region_id, reading, named, at)
      return { layer: await ready(viewer.scope, layer), notes: reading.notes }
    }),
    route(contract.changeLayer, ({ viewer, params, body, at }) => changeLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid, body, at)),
    route(contract.deleteLayer, async ({ viewer, params }) => ({ deleted: await deleteLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid) })),
    route(contract.listShapes, ({ viewer, params, query }) => listShapes(state, viewer.scope, params.region_id, query)),
    route(contract.listShapesLegacy, async ({ viewer, body }) => ({ data: (await listShapes(state, viewer.scope, body.region_id, { shape_layer_uuid: body.shape_layer_uuid, page: 1, size: 100_000 })).items })),
    route(contract.getShape, ({ viewer, params }) => findShape(state, viewer.scope, params.region_id, params.shape_uuid)),
    route(contract.createShape, ({ viewer, params, body, at }) => createShape(state, viewer.scope, params.region_id, body, at)),
    route(contract.changeShape, ({ viewer, params, body, at }) => changeShape(state, viewer.scope, params.region_id, params.shape_uuid, body, at)),
    route(contract.deleteShape, async ({ viewer, params, at }) => ({ deleted: await deleteShape(state, viewer.scope, params.region_id, params.shape_uuid, at) })),
    route(contract.getShapeHistory, async ({ viewer, params }) => ({ items: await shapeHistory(state, viewer.scope, params.region_id, params.shape_uuid) })),
    route(contract.getLayerTile, async ({ viewer, params, headers }) => {
      if (params.x >= 2 ** params.z || params.y >= 2 ** params.z) throw new Problem('not_found', 'There is no such tile at this zoom.')
      const layer = await findLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid)
      return sendTile(await tiles.tile(viewer.scope, layer, params.z, params.x, params.y), headers) as RawAnswer
    }),
  ]
}
