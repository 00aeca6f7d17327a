import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Box, GeometryShape } from './place.ts'
import { pageAsk, pageOf } from './page.ts'

/** Boundary files are read up to this size. */
export const boundaryBytesLimit = 50 * 1024 * 1024

/** Layers with these levels or names are no options of evaluation maps (2-map-and-data, section 2). */
export const levelsWithoutEvaluation = ['blockface', 'cfad', 'parking_districts']
/** Layers of these levels are drawn under maps: water, parks, land, streets. */
export const isBasemapLevel = (level: string | null): boolean => level?.startsWith('basemap:') ?? false

/** A shape layer in the specification's field names (2-map-and-data, section 3). */
export const Layer = z
  .object({
    shape_layer_uuid: z.uuid(),
    region_id: z.string(),
    layer_name: z.string(),
    layer_slug: z.string(),
    level: z.string().nullable(),
    editable: z.boolean(),
    /** Buffer distances in metres that the maps offer. */
    buffers: z.array(z.number()),
    intersect_route: z.boolean(),
    hourly_processing: z.array(z.string()),
    parking_duration_filters: z.array(z.number()),
    vehicle_counts: z.boolean(),
    vehicle_counts_status: z.string().nullable(),
    shape_count: z.number().int(),
    /** Whether shapes of the layer overlap: then shapes + NOT_IN_SHAPE may exceed all. */
    overlaps: z.boolean(),
    geometry_type: z.enum(['area', 'line', 'point', 'mixed', 'none']),
    bbox: Box.nullable(),
    /** Changes whenever a shape of the layer changes; part of the tile address. */
    content_hash: z.string(),
    modified_time: z.string(),
  })
  .meta({ id: 'Layer' })
export type Layer = z.infer<typeof Layer>

export const Shape = z
  .object({
    shape_uuid: z.uuid(),
    shape_id: z.string(),
    shape_name: z.string(),
    shape_description: z.string().nullable(),
    shape_layer_uuid: z.uuid(),
    geom: GeometryShape,
    properties: z.record(z.string(), z.unknown()),
    created_time: z.string(),
    modified_time: z.string(),
    side_of_street: z.string().nullable(),
  })
  .meta({ id: 'Shape' })
export type Shape = z.infer<typeof Shape>

/** What was changed or left out of a file, with the feature's place in it. */
export const Note = z.object({ position: z.number().int().nullable(), code: z.string(), text: z.string() })
export type Note = z.infer<typeof Note>

export const BoundaryPreview = z
  .object({
    upload_uuid: z.uuid(),
    file_name: z.string(),
    format: z.string(),
    feature_count: z.number().int(),
    properties: z.array(z.object({ name: z.string(), filled: z.number(), distinct: z.number(), samples: z.array(z.string()) })),
    suggested_name: z.string().nullable(),
    notes: z.array(Note),
    bbox: Box,
    /** Simplified for the preview map, at most 2,000 features. */
    features: z.array(z.object({ type: z.literal('Feature'), geometry: GeometryShape, properties: z.record(z.string(), z.unknown()) })),
  })
  .meta({ id: 'BoundaryPreview' })
export type BoundaryPreview = z.infer<typeof BoundaryPreview>

const inRegion = z.object({ region_id: z.string() })
const oneLayer = inRegion.extend({ shape_layer_uuid: z.uuid() })
const oneShape = inRegion.extend({ shape_uuid: z.uuid() })
const layerName = z.string().trim().min(1).max(120)
const layerSettings = { level: z.string().max(40).nullable().optional(), buffers: z.array(z.number().min(0).max(5000)).max(12).optional() }

export const listLayers = endpoint({ method: 'GET', path: '/regions/{region_id}/layers', permission: 'signed_in', summary: 'Layers of a region', ask: { params: inRegion }, answer: z.object({ items: z.array(Layer) }) })
export const listLayersLegacy = endpoint({
  method: 'GET', path: '/layers/list', prefixes: ['/v2', '/apipy'], permission: 'signed_in', summary: 'Layers of a region, older form',
  ask: { query: inRegion }, answer: z.object({ data: z.array(Layer) }),
})
export const getLayer = endpoint({ method: 'GET', path: '/regions/{region_id}/layers/{shape_layer_uuid}', permission: 'signed_in', summary: 'One layer', ask: { params: oneLayer }, answer: Layer })
export const previewBoundaries = endpoint({
  method: 'POST', path: '/regions/{region_id}/shapes/preview', permission: 'edit_geography', summary: 'Read a boundary file (GeoJSON, zipped shapefile, KML) and show what is in it; nothing is stored as a layer yet',
  ask: { params: inRegion, query: z.object({ file_name: z.string().min(1).max(255) }), body: { media: 'application/octet-stream' } }, answer: BoundaryPreview,
})
export const createLayer = endpoint({
  method: 'POST', path: '/regions/{region_id}/layers', permission: 'edit_geography', summary: 'Make a layer of a previewed file, shapes named by the chosen property',
  ask: { params: inRegion, body: z.object({ layer_name: layerName, upload_uuid: z.uuid(), name_property: z.string().nullable(), ...layerSettings }) },
  answer: z.object({ layer: Layer, notes: z.array(Note) }),
})
export const uploadShapes = endpoint({
  method: 'POST', path: '/regions/{region_id}/shapes/upload', permission: 'edit_geography', summary: 'Read a boundary file into a layer in one call; shapes of the same name keep their id and gain a geometry version',
  ask: {
    params: inRegion, body: { media: 'application/octet-stream' },
    query: z.object({ file_name: z.string().min(1).max(255), layer_name: layerName.optional(), shape_layer_uuid: z.uuid().optional(), name_property: z.string().optional(), level: z.string().max(40).optional() }),
  },
  answer: z.object({ layer: Layer, notes: z.array(Note) }),
})
export const changeLayer = endpoint({
  method: 'PATCH', path: '/regions/{region_id}/layers/{shape_layer_uuid}', permission: 'edit_geography', summary: 'Rename a layer or change its settings',
  ask: { params: oneLayer, body: z.object({ layer_name: layerName.optional(), ...layerSettings }) }, answer: Layer,
})
export const deleteLayer = endpoint({ method: 'DELETE', path: '/regions/{region_id}/layers/{shape_layer_uuid}', permission: 'edit_geography', summary: 'Delete a layer with its shapes', ask: { params: oneLayer }, answer: z.object({ deleted: z.number().int() }) })
export const listShapes = endpoint({
  method: 'GET', path: '/regions/{region_id}/shapes', permission: 'signed_in', summary: 'Shapes of a layer, by name',
  ask: { params: inRegion, query: z.object({ shape_layer_uuid: z.uuid(), text: z.string().optional(), ...pageAsk(50, 5000) }) }, answer: pageOf(Shape),
})
export const listShapesLegacy = endpoint({
  method: 'POST', reads: true, path: '/shapes/list', prefixes: ['/v2', '/apipy'], permission: 'signed_in', summary: 'Shapes of a layer, older form (deprecated)',
  ask: { body: z.object({ region_id: z.string(), shape_layer_uuid: z.uuid() }).loose() }, answer: z.object({ data: z.array(Shape) }),
})
export const getShape = endpoint({ method: 'GET', path: '/regions/{region_id}/shapes/{shape_uuid}', permission: 'signed_in', summary: 'One shape', ask: { params: oneShape }, answer: Shape })
export const createShape = endpoint({
  method: 'POST', longBody: true, path: '/regions/{region_id}/shapes', permission: 'edit_geography', summary: 'Add a shape to a layer',
  ask: { params: inRegion, body: z.object({ shape_layer_uuid: z.uuid(), shape_name: layerName, shape_description: z.string().nullable().optional(), geom: GeometryShape }) }, answer: Shape,
})
export const changeShape = endpoint({
  method: 'PATCH', longBody: true, path: '/regions/{region_id}/shapes/{shape_uuid}', permission: 'edit_geography', summary: 'Rename a shape or replace its geometry; the earlier geometry stays in its history',
  ask: { params: oneShape, body: z.object({ shape_name: layerName.optional(), shape_description: z.string().nullable().optional(), geom: GeometryShape.optional() }) }, answer: Shape,
})
export const deleteShape = endpoint({ method: 'DELETE', path: '/regions/{region_id}/shapes/{shape_uuid}', permission: 'edit_geography', summary: 'Delete a shape', ask: { params: oneShape }, answer: z.object({ deleted: z.number().int() }) })
export const getShapeHistory = endpoint({
  method: 'GET', path: '/regions/{region_id}/shapes/{shape_uuid}/history', permission: 'signed_in', summary: 'Every geometry that the shape had, newest first',
  ask: { params: oneShape }, answer: z.object({ items: z.array(z.object({ geom: GeometryShape, valid_from: z.string(), valid_until: z.string().nullable(), changed_by: z.string().nullable() })) }),
})
/** Tiles are gzipped MVT with one source layer `shapes`; properties shape_uuid, name and the basemap class. */
export const getLayerTile = endpoint({
  method: 'GET', path: '/regions/{region_id}/layers/{shape_layer_uuid}/vector/{z}/{x}/{y}', permission: 'signed_in', summary: 'Vector tile of a layer; `bucket` is the half hour of the asking, `v` the content hash',
  ask: {
    params: oneLayer.extend({ z: z.coerce.number().int().min(0).max(22), x: z.coerce.number().int().min(0), y: z.coerce.number().int().min(0) }),
    query: z.object({ bucket: z.coerce.number().int().optional(), v: z.string().optional() }),
  },
  answer: { media: 'application/vnd.mapbox-vector-tile' },
})
