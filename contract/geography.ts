import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { maxBufferMeters, maxParkedMinutes } from './map-names.ts'
import { nameSchema } from './names.ts'
import { Box, GeometryShape } from './place.ts'
import { pageQuery, pageSchema } from './page.ts'

/** Layers with these levels or names are not offered on evaluation maps. */
export const levelsWithoutEvaluation = ['blockface', 'cfad', 'parking_districts']
/** Returns whether layers of a level are drawn below maps: water, parks, land, streets. */
export const isBasemapLevel = (level: string | null): boolean => level?.startsWith('basemap:') ?? false

export const VehicleCountsStatus = z.enum(['off', 'processing', 'ready', 'failed'])

/** A shape layer in the specification's field names. */
export const Layer = z
  .object({
    shape_layer_uuid: z.uuid(),
    region_id: z.string(),
    layer_name: z.string(),
    layer_slug: z.string(),
    /** Same values as `layer_name` and `layer_slug`. */
    name: z.string(),
    slug: z.string(),
    level: z.string().nullable(),
    editable: z.boolean(),
    /** Buffer distances in meters that the maps offer. */
    buffers: z.array(z.number()),
    intersect_route: z.boolean(),
    hourly_processing: z.array(z.string()),
    parking_duration_filters: z.array(z.number()),
    vehicle_counts: z.boolean(),
    /** State of the hourly vehicle counts. `processing`: past hours are missing. */
    vehicle_counts_status: VehicleCountsStatus,
    shape_count: z.number().int(),
    /** Whether shapes of the layer overlap; if so, shapes plus NOT_IN_SHAPE may exceed the total. */
    overlaps: z.boolean(),
    geometry_type: z.enum(['area', 'line', 'point', 'mixed', 'none']),
    bbox: Box.nullable(),
    /** Changes with every change of a shape of the layer; part of the tile URL. */
    content_hash: z.string(),
    modified_time: z.string(),
    /** Name of the user who last changed the layer or one of its shapes; null: the server itself. */
    modified_by: z.string().nullable(),
    /** Required credit on every map that draws the layer; omitted or null: none. */
    attribution: z.string().nullish(),
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
    modified_by: z.string().nullable(),
    side_of_street: z.string().nullable(),
  })
  .meta({ id: 'Shape' })
export type Shape = z.infer<typeof Shape>

/** What was done to a shape. `restored`: an earlier version was restored, possibly of a deleted shape. */
export const shapeActions = ['created', 'changed', 'deleted', 'restored'] as const
export const ShapeAction = z.enum(shapeActions)
export type ShapeAction = z.infer<typeof ShapeAction>

/** A shape from `valid_from` until `valid_until` (null: current). For `deleted`: its last state. */
export const ShapeVersion = z
  .object({
    /** Counts from 1. */
    version: z.number().int(),
    act: ShapeAction,
    /** Which parts differ from the previous version. */
    changes: z.array(z.enum(['name', 'description', 'geometry'])),
    shape_name: z.string(),
    shape_description: z.string().nullable(),
    geom: GeometryShape,
    valid_from: z.string(),
    valid_until: z.string().nullable(),
    /** Name of the user who made the change; null: the server itself, on behalf of a feed. */
    changed_by: z.string().nullable(),
  })
  .meta({ id: 'ShapeVersion' })
export type ShapeVersion = z.infer<typeof ShapeVersion>

/** Sums per hour that the server can compute for a layer; `hourly_processing` lists the enabled ones. */
export const hourlyProcesses = ['trips', 'parking', 'vehicles', 'drop_offs'] as const

const regionParams = z.object({ region_id: z.string() })
const layerParams = regionParams.extend({ shape_layer_uuid: z.uuid() })
const shapeParams = regionParams.extend({ shape_uuid: z.uuid() })
export const layerName = nameSchema(120)
export const maxShapeNameLength = 200
export const ShapeName = nameSchema(maxShapeNameLength)
export const layerSettings = {
  level: z.string().max(40).nullable().optional(),
  buffers: z.array(z.number().min(0).max(maxBufferMeters)).max(12).optional(),
}
const processing = {
  intersect_route: z.boolean().optional(),
  hourly_processing: z.array(z.enum(hourlyProcesses)).max(hourlyProcesses.length).optional(),
  /** Minutes. */
  parking_duration_filters: z.array(z.number().int().min(1).max(maxParkedMinutes)).max(12).optional(),
  vehicle_counts: z.boolean().optional(),
}

/** A `modified_time` or `updated_time` that an editor saw. */
export const SeenTime = z.iso.datetime({ offset: true })
/** If the stored time differs, the response is a 409 with the stored version in `current`; null if deleted. */
const seenVersion = { if_modified_time: SeenTime.optional() }
/** Deletes even if there are dependents. Otherwise the response is a 409 with `current: { dependents }`. */
const confirmation = { confirm: z.stringbool().optional() }

export const listLayers = endpoint({
  route: 'GET /regions/{region_id}/layers',
  permission: 'signed_in',
  scope: 'geographies:read',
  summary: 'Layers of a region',
  request: { params: regionParams },
  response: z.object({ items: z.array(Layer) }),
})
export const listLayersLegacy = endpoint({
  route: 'GET /layers/list',
  permission: 'signed_in',
  summary: 'Layers of a region, legacy form',
  request: { query: regionParams },
  response: z.object({ data: z.array(Layer) }),
})
export const getLayer = endpoint({
  route: 'GET /regions/{region_id}/layers/{shape_layer_uuid}',
  permission: 'signed_in',
  scope: 'geographies:read',
  summary: 'One layer',
  request: { params: layerParams },
  response: Layer,
})
export const changeLayer = endpoint({
  route: 'PATCH /regions/{region_id}/layers/{shape_layer_uuid}',
  permission: 'edit_geography',
  summary: 'Rename a layer or change its settings',
  request: {
    params: layerParams,
    body: z.object({
      layer_name: layerName.optional(),
      editable: z.boolean().optional(),
      ...layerSettings,
      ...processing,
      ...seenVersion,
    }),
  },
  response: Layer,
})
export const deleteLayer = endpoint({
  route: 'DELETE /regions/{region_id}/layers/{shape_layer_uuid}',
  permission: 'edit_geography',
  summary: 'Delete a layer with its shapes and their history',
  request: { params: layerParams, query: z.object({ ...seenVersion, ...confirmation }) },
  response: z.object({ deleted: z.number().int() }),
})
/** West, south, east and north in degrees, separated by commas. */
const BoxText = z
  .string()
  .regex(/^-?\d{1,3}(\.\d+)?(,-?\d{1,3}(\.\d+)?){3}$/, 'Four numbers of degrees: west,south,east,north')
export const listShapes = endpoint({
  route: 'GET /regions/{region_id}/shapes',
  permission: 'signed_in',
  scope: 'geographies:read',
  summary:
    'Shapes of a layer, by name; `box` is west,south,east,north: shapes with a bounding box that intersects it',
  request: {
    params: regionParams,
    query: z.object({
      shape_layer_uuid: z.uuid(),
      text: z.string().optional(),
      box: BoxText.optional(),
      ...pageQuery(50, 5000),
    }),
  },
  response: pageSchema(Shape),
})
export const listShapesLegacy = endpoint({
  route: 'POST /shapes/list',
  reads: true,
  permission: 'signed_in',
  summary:
    'Shapes of a layer, legacy form (deprecated); with a boundary, only shapes that overlap one of its shapes (touching is not enough)',
  request: {
    body: z.object({
      region_id: z.string(),
      shape_layer_uuid: z.uuid(),
      /** Only shapes that overlap a shape of this layer. */
      boundary_shape_layer_uuid: z.uuid().nullish(),
      /** Limits the boundary to these shapes of the boundary layer, or of the region. Empty: all shapes. */
      boundary_shape_uuids: z.array(z.uuid()).max(5000).nullish(),
    }),
  },
  response: z.object({ data: z.array(Shape) }),
})
export const getShape = endpoint({
  route: 'GET /regions/{region_id}/shapes/{shape_uuid}',
  permission: 'signed_in',
  scope: 'geographies:read',
  summary: 'One shape',
  request: { params: shapeParams },
  response: Shape,
})
export const createShape = endpoint({
  route: 'POST /regions/{region_id}/shapes',
  longBody: true,
  permission: 'edit_geography',
  summary: 'Add a shape to a layer',
  request: {
    params: regionParams,
    body: z.object({
      shape_layer_uuid: z.uuid(),
      shape_name: ShapeName,
      shape_description: z.string().max(2000).nullable().optional(),
      geom: GeometryShape,
    }),
  },
  response: Shape,
})
export const changeShape = endpoint({
  route: 'PATCH /regions/{region_id}/shapes/{shape_uuid}',
  longBody: true,
  permission: 'edit_geography',
  summary: 'Rename a shape or replace its geometry; the earlier geometry stays in its history',
  request: {
    params: shapeParams,
    body: z.object({
      shape_name: ShapeName.optional(),
      shape_description: z.string().max(2000).nullable().optional(),
      geom: GeometryShape.optional(),
      ...seenVersion,
    }),
  },
  response: Shape,
})
export const deleteShape = endpoint({
  route: 'DELETE /regions/{region_id}/shapes/{shape_uuid}',
  permission: 'edit_geography',
  summary: 'Delete a shape; it can be restored from its history',
  request: { params: shapeParams, query: z.object({ ...seenVersion, ...confirmation }) },
  response: z.object({ deleted: z.number().int() }),
})
export const getShapeHistory = endpoint({
  route: 'GET /regions/{region_id}/shapes/{shape_uuid}/history',
  permission: 'signed_in',
  scope: 'geographies:read',
  summary: 'Every version of a shape, newest first, including a deleted shape',
  request: { params: shapeParams },
  response: z.object({ items: z.array(ShapeVersion) }),
})
const tileParams = layerParams.extend({
  z: z.coerce.number().int().min(0).max(22),
  x: z.coerce.number().int().min(0),
  y: z.coerce.number().int().min(0),
})
/** Gzipped MVT tiles with one source layer `shapes`; properties: shape_uuid, name and basemap class. */
export const getLayerTile = endpoint({
  route: 'GET /regions/{region_id}/layers/{shape_layer_uuid}/vector/{z}/{x}/{y}',
  permission: 'signed_in',
  summary: 'Vector tile of a layer; `bucket` is the half hour of the request, `v` the content hash',
  request: {
    params: tileParams,
    query: z.object({ bucket: z.coerce.number().int().optional(), v: z.string().optional() }),
  },
  response: { media: 'application/vnd.mapbox-vector-tile' },
})
/** The same for a basemap layer of a region with a public map (`PublicRegion.basemap`). */
export const getPublicBasemapTile = endpoint({
  route: 'GET /public/regions/{region_id}/basemap/{shape_layer_uuid}/vector/{z}/{x}/{y}',
  permission: 'public',
  summary: 'Vector tile of a basemap layer of a region with a public map; `v` is the version of the layer',
  request: { params: tileParams, query: z.object({ v: z.string().optional() }) },
  response: { media: 'application/vnd.mapbox-vector-tile' },
})
