import * as contract from '#contract/geography.ts'
import * as history from '#contract/geography-history.ts'
import * as use from '#contract/geography-use.ts'
import type { Layer } from '#contract/geography.ts'
import { Problem } from '#server/http/problem.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { changeLayer, deleteLayer } from './layers/change-layer.ts'
import { changeShape, createShape, deleteShape } from './shapes/change-shape.ts'
import { changeShapes } from './shapes/change-shapes.ts'
import { curbLengths } from './shapes/curb-lengths.ts'
import type { Dependents } from './dependents/dependents.ts'
import { dependentRoutes } from './dependents/routes.ts'
import { exportLayer } from './boundary-files/export/export-layer.ts'
import { findLayer, listLayers } from './layers/find-layer.ts'
import { layerHistory, shapeHistory } from './shapes/find-history.ts'
import { findShape, layerGeometries, findLayerOfShape, listShapes } from './shapes/find-shapes.ts'
import { LayerCache } from './layers/layer-cache.ts'
import type { LayerMembership } from './membership/layer-membership.ts'
import { LayerTiles } from './tiles/layer-tiles.ts'
import { listShapeRows } from './shapes/list-shape-rows.ts'
import { PublicBasemaps } from './layers/public-basemaps.ts'
import { buildPreview } from './boundary-files/preview-boundaries.ts'
import { listAllNotes } from './boundary-files/review-features.ts'
import { checkPlaces } from './boundary-files/review-places.ts'
import { restoreShape } from './shapes/restore-shape.ts'
import { createLayer, emptyReading, replaceShapes } from './layers/save-layer.ts'
import { storeReading, loadReading, readBoundaryFile } from './boundary-files/boundary-uploads.ts'
import { sendTile } from './tiles/send-tile.ts'
import { shapesWithin } from './membership/shapes-within.ts'

interface GeographyOptions {
  state: State
  now: () => number
  membership: LayerMembership
  dependents: Dependents
  blobs: BlobStore
}

export function geographyRoutes({ state, now, membership, dependents, blobs }: GeographyOptions): Route[] {
  const tiles = new LayerTiles(state)
  const layerCache = new LayerCache(state, now)
  const publicBasemaps = new PublicBasemaps(state, now)
  /** Builds the layer's membership index and tile shapes in advance, which also detects overlaps. */
  const prepareLayer = async (scope: Scope, layer: Layer): Promise<Layer> => {
    await Promise.all([membership.forLayer(scope, layer, 0), tiles.prepare(scope, layer)])
    return findLayer(state, scope, layer.region_id, layer.shape_layer_uuid)
  }
  return [
    route(contract.listLayers, async ({ viewer, params }) => ({
      items: await listLayers(state, viewer.scope, params.region_id),
    })),
    route(contract.listLayersLegacy, async ({ viewer, query }) => ({
      data: await listLayers(state, viewer.scope, query.region_id),
    })),
    route(contract.getLayer, ({ viewer, params }) =>
      findLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid),
    ),
    route(contract.previewBoundaries, async ({ viewer, params, query, body, at }) => {
      const region = await findRegion(state, viewer.scope, params.region_id)
      const reading = await readBoundaryFile(query.file_name, body)
      return buildPreview(reading, await storeReading(blobs, params.region_id, reading, at), region)
    }),
    route(contract.createLayer, async ({ viewer, params, body, at }) => {
      const region = await findRegion(state, viewer.scope, params.region_id)
      const { upload_uuid: upload } = body
      if (upload === undefined) {
        const layer = await createLayer(state, viewer.scope, params.region_id, emptyReading, body, at)
        return { layer: await prepareLayer(viewer.scope, layer), notes: [] }
      }
      const reading = await loadReading(blobs, params.region_id, upload)
      const notes = checkPlaces(reading, region, body.name_property, body.accept_outside)
      const layer = await createLayer(state, viewer.scope, params.region_id, reading, body, at)
      return {
        layer: await prepareLayer(viewer.scope, layer),
        notes: [...notes, ...listAllNotes(reading, body.name_property)],
      }
    }),
    route(contract.uploadShapes, async ({ viewer, params, query, body, at }) => {
      const region = await findRegion(state, viewer.scope, params.region_id)
      const reading = await readBoundaryFile(query.file_name, body)
      const { shape_layer_uuid: layerId, name_property = null } = query
      const notes = checkPlaces(reading, region, name_property, query.accept_outside)
      const newLayer = {
        layer_name: query.layer_name ?? query.file_name.replace(/\.[^.]+$/, ''),
        name_property,
        level: query.level,
      }
      const replacement = { reading, nameProperty: name_property }
      const layer = layerId
        ? await replaceShapes(state, viewer.scope, { regionId: params.region_id, layerId }, replacement, at)
        : await createLayer(state, viewer.scope, params.region_id, reading, newLayer, at)
      return {
        layer: await prepareLayer(viewer.scope, layer),
        notes: [...notes, ...listAllNotes(reading, name_property)],
      }
    }),
    route(contract.changeLayer, async ({ viewer, params, body, at }) => {
      const layer = await findLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid)
      const feed = body.editable
        ? (await dependents.list(viewer.scope, layer, null)).find(({ kind }) => kind === 'feed')
        : undefined
      const target = {
        regionId: params.region_id,
        layerId: params.shape_layer_uuid,
        feedName: feed?.name ?? null,
      }
      return changeLayer(state, viewer.scope, target, body, at)
    }),
    route(contract.deleteLayer, async ({ viewer, params, query }) => {
      await dependents.requireDeletable(
        query.confirm,
        viewer.scope,
        await findLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid),
        null,
      )
      return {
        deleted: await deleteLayer(
          state,
          viewer.scope,
          params.region_id,
          params.shape_layer_uuid,
          query.if_modified_time,
        ),
      }
    }),
    route(contract.listShapes, ({ viewer, params, query }) =>
      listShapes(state, viewer.scope, params.region_id, query),
    ),
    route(contract.listShapesLegacy, async ({ viewer, body }) => ({
      data: await shapesWithin(state, viewer.scope, body),
    })),
    route(contract.getShape, ({ viewer, params }) =>
      findShape(state.as(viewer.scope), params.region_id, params.shape_uuid),
    ),
    route(contract.createShape, ({ viewer, params, body, at }) =>
      createShape(state, viewer.scope, params.region_id, body, at),
    ),
    route(contract.changeShape, ({ viewer, params, body, at }) =>
      changeShape(state, viewer.scope, params.region_id, { ...body, shape_uuid: params.shape_uuid }, at),
    ),
    route(contract.deleteShape, async ({ viewer, params, query, at }) => {
      const shape = { shape_uuid: params.shape_uuid, if_modified_time: query.if_modified_time }
      const layerId = await findLayerOfShape(state.as(viewer.scope), params.region_id, shape)
      await dependents.requireDeletable(
        query.confirm,
        viewer.scope,
        await findLayer(state, viewer.scope, params.region_id, layerId),
        [params.shape_uuid],
      )
      return { deleted: await deleteShape(state, viewer.scope, params.region_id, shape, at) }
    }),
    route(history.changeShapes, async ({ viewer, params, body, at }) => {
      const deletedIds = body.deleted.map(({ shape_uuid: id }) => id)
      if (deletedIds.length)
        await dependents.requireDeletable(
          body.confirm,
          viewer.scope,
          await findLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid),
          deletedIds,
        )
      return changeShapes(state, viewer.scope, params.region_id, params.shape_layer_uuid, body, at)
    }),
    route(contract.getShapeHistory, async ({ viewer, params }) => ({
      items: await shapeHistory(state.as(viewer.scope), params.region_id, params.shape_uuid),
    })),
    route(history.listLayerHistory, ({ viewer, params, query }) =>
      layerHistory(state, viewer.scope, params.region_id, params.shape_layer_uuid, query),
    ),
    route(history.restoreShape, ({ viewer, params, body, at }) =>
      restoreShape(
        state,
        viewer.scope,
        params.region_id,
        {
          shape_uuid: params.shape_uuid,
          if_modified_time: body.if_modified_time,
          version: body.version,
        },
        at,
      ),
    ),
    route(use.listShapeRows, ({ viewer, params, query }) =>
      listShapeRows(state, viewer.scope, params.region_id, params.shape_layer_uuid, query),
    ),
    route(use.exportLayer, ({ viewer, params, query }) =>
      exportLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid, query.format),
    ),
    route(use.getCurbLengths, async ({ viewer: { scope }, params }) => {
      await findLayer(state, scope, params.region_id, params.shape_layer_uuid)
      return curbLengths(await layerGeometries(state, scope, params.shape_layer_uuid))
    }),
    ...dependentRoutes(state, dependents),
    route(contract.getLayerTile, async ({ viewer, params, headers }) => {
      checkTileNumber(params)
      const layer = await layerCache.find(viewer.scope, params.region_id, params.shape_layer_uuid)
      return sendTile(await tiles.tile(viewer.scope, layer, params.z, params.x, params.y), headers, 'viewer')
    }),
    route(contract.getPublicBasemapTile, async ({ params, headers }) => {
      checkTileNumber(params)
      const { scope, layer } = await publicBasemaps.find(params.region_id, params.shape_layer_uuid)
      return sendTile(await tiles.tile(scope, layer, params.z, params.x, params.y), headers, 'everybody')
    }),
  ]
}

function checkTileNumber({ z, x, y }: { z: number; x: number; y: number }): void {
  if (x >= 2 ** z || y >= 2 ** z) throw new Problem('not_found', 'There is no such tile at this zoom.')
}
