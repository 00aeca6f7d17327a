import * as fileContract from '#contract/boundary-files.ts'
import * as contract from '#contract/geography.ts'
import type { Layer } from '#contract/geography.ts'
import { type Call, type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { loadReading, readBoundaryFile, storeReading } from '../boundary-files/boundary-uploads.ts'
import { buildPreview } from '../boundary-files/preview-boundaries.ts'
import { listAllNotes } from '../boundary-files/review-features.ts'
import { checkPlaces } from '../boundary-files/review-places.ts'
import type { Dependents } from '../dependents/dependents.ts'
import type { LayerMembership } from '../membership/layer-membership.ts'
import type { LayerTiles } from '../tiles/layer-tiles.ts'
import { changeLayer, deleteLayer } from './change-layer.ts'
import { findLayer, listLayers } from './find-layer.ts'
import { createLayer, emptyReading, replaceShapes } from './save-layer.ts'

interface LayerContext {
  state: State
  membership: LayerMembership
  dependents: Dependents
  blobs: BlobStore
  tiles: LayerTiles
}

/** Declares the endpoints of layers, and of boundary files that layers are created from. */
export function layerRoutes(context: LayerContext): Route[] {
  const { state, blobs } = context
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
    route(fileContract.previewBoundaries, async ({ viewer, params, query, body, at }) => {
      const region = await findRegion(state, viewer.scope, params.region_id)
      const reading = await readBoundaryFile(query.file_name, body)
      return buildPreview(reading, await storeReading(blobs, params.region_id, reading, at), region)
    }),
    route(fileContract.createLayer, (call) => createFromUpload(context, call)),
    route(fileContract.uploadShapes, (call) => uploadShapes(context, call)),
    route(contract.changeLayer, (call) => changeUnlessFed(context, call)),
    route(contract.deleteLayer, async (call) => ({ deleted: await deleteIfConfirmed(context, call) })),
  ]
}

/** Builds the layer's membership index and tile shapes in advance, which also detects overlaps. */
async function prepareLayer(
  { state, membership, tiles }: LayerContext,
  scope: Scope,
  layer: Layer,
): Promise<Layer> {
  await Promise.all([membership.forLayer(scope, layer, 0), tiles.prepare(scope, layer)])
  return findLayer(state, scope, layer.region_id, layer.shape_layer_uuid)
}

/** Creates a layer from an uploaded file, or an empty one. */
async function createFromUpload(
  context: LayerContext,
  { viewer: { scope }, params: { region_id: regionId }, body, at }: Call<typeof fileContract.createLayer>,
) {
  const { state, blobs } = context
  const region = await findRegion(state, scope, regionId)
  const { upload_uuid: upload } = body
  if (upload === undefined) {
    const layer = await createLayer(state, scope, { regionId, reading: emptyReading, newLayer: body, at })
    return { layer: await prepareLayer(context, scope, layer), notes: [] }
  }
  const reading = await loadReading(blobs, regionId, upload)
  const notes = checkPlaces(reading, region, body.name_property, body.accept_outside)
  const layer = await createLayer(state, scope, { regionId, reading, newLayer: body, at })
  return {
    layer: await prepareLayer(context, scope, layer),
    notes: [...notes, ...listAllNotes(reading, body.name_property)],
  }
}

/** Creates a layer from a file, or replaces the shapes of a layer. */
async function uploadShapes(
  context: LayerContext,
  { viewer: { scope }, params, query, body, at }: Call<typeof fileContract.uploadShapes>,
) {
  const { state } = context
  const { region_id: regionId } = params
  const { shape_layer_uuid: layerId, name_property: nameProperty = null } = query
  const region = await findRegion(state, scope, regionId)
  const reading = await readBoundaryFile(query.file_name, body)
  const notes = checkPlaces(reading, region, nameProperty, query.accept_outside)
  const newLayer = {
    layer_name: query.layer_name ?? query.file_name.replace(/\.[^.]+$/, ''),
    name_property: nameProperty,
    level: query.level,
  }
  const layer = layerId
    ? await replaceShapes(state, scope, { regionId, layerId, reading, nameProperty, at })
    : await createLayer(state, scope, { regionId, reading, newLayer, at })
  return {
    layer: await prepareLayer(context, scope, layer),
    notes: [...notes, ...listAllNotes(reading, nameProperty)],
  }
}

/** Changes a layer. A layer that a feed maintains cannot be made editable. */
async function changeUnlessFed(
  { state, dependents }: LayerContext,
  call: Call<typeof contract.changeLayer>,
): Promise<Layer> {
  const { viewer, params, body } = call
  const layer = await findLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid)
  const feed = body.editable
    ? (await dependents.list(viewer.scope, layer, null)).find(({ kind }) => kind === 'feed')
    : undefined
  return changeLayer(state, call, feed?.name ?? null)
}

/** Deletes a layer; if it has dependents, only with confirmation. Returns the number of shapes. */
async function deleteIfConfirmed(
  { state, dependents }: LayerContext,
  call: Call<typeof contract.deleteLayer>,
): Promise<number> {
  const { viewer, params, query } = call
  const layer = await findLayer(state, viewer.scope, params.region_id, params.shape_layer_uuid)
  await dependents.requireDeletable(query.confirm, viewer.scope, layer, null)
  return deleteLayer(state, call)
}
