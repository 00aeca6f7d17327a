import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ShapeConflicts } from './geography-history.ts'
import { pageQuery, pageSchema } from './page.ts'
import { Box } from './place.ts'
import { PolicyV2Rule, PolicyV2Schedule } from './curb-policy-view.ts'

export const dependentKinds = ['policy', 'feed', 'streets'] as const

/** What depends on a layer or shape. `cubes`: hourly sums; `feed`: creates it; `streets`: route matching. */
export const Dependent = z
  .object({
    kind: z.enum(dependentKinds),
    /** Id of the policy or feed; null if there is none. */
    id: z.string().nullable(),
    name: z.string(),
    /** Hours of cubes. */
    count: z.number().int().nullable(),
  })
  .meta({ id: 'Dependent' })
export type Dependent = z.infer<typeof Dependent>

/** `current` of a refused deletion. */
export const Dependents = z.object({ dependents: z.array(Dependent) })
export type Dependents = z.infer<typeof Dependents>

/** `current` of a 409 on a batch: one of the two. */
export const BatchRefusal = z.union([ShapeConflicts, Dependents])

/** A policy in force in a shape, as shown on the page of the shape. */
export const ShapePolicy = z
  .object({
    policy_uuid: z.string(),
    policy_name: z.string(),
    policy_type: z.string(),
    start_date: z.string().nullable(),
    end_date: z.string().nullable(),
    /** Only for curb policies. */
    rules: z.array(PolicyV2Rule).optional(),
    schedules: z.array(PolicyV2Schedule).optional(),
  })
  .meta({ id: 'ShapePolicy' })
export type ShapePolicy = z.infer<typeof ShapePolicy>

/** Progress of a layer's hourly sums. `running`: `done_hours` of `total_hours`; `none`: it has no areas. */
export const LayerCubes = z
  .object({
    shape_layer_uuid: z.uuid(),
    status: z.enum(['none', 'waiting', 'running', 'ready', 'failed']),
    problem: z.string().nullable(),
    done_hours: z.number().int(),
    total_hours: z.number().int(),
    changed_time: z.string().nullable(),
  })
  .meta({ id: 'LayerCubes' })
export type LayerCubes = z.infer<typeof LayerCubes>

/** A shape without its geometry, for tables of up to 50,000 rows. */
export const ShapeRow = z
  .object({
    shape_uuid: z.uuid(),
    shape_id: z.string(),
    shape_name: z.string(),
    shape_description: z.string().nullable(),
    geometry_type: z.string(),
    bbox: Box.nullable(),
    modified_time: z.string(),
    modified_by: z.string().nullable(),
  })
  .meta({ id: 'ShapeRow' })
export type ShapeRow = z.infer<typeof ShapeRow>

export const shapeOrders = [
  'shape_name',
  '-shape_name',
  'shape_id',
  '-shape_id',
  'modified_time',
  '-modified_time',
] as const
export const layerExportFormats = ['geojson', 'kml', 'shapefile', 'csv'] as const
export type LayerExportFormat = (typeof layerExportFormats)[number]

const regionParams = z.object({ region_id: z.string() })
const layerParams = regionParams.extend({ shape_layer_uuid: z.uuid() })
const shapeParams = regionParams.extend({ shape_uuid: z.uuid() })
const hasPolicies = z.object({ has_policies: z.boolean() })
const shapePolicies = z.object({ items: z.array(ShapePolicy) })

export const listShapeRows = endpoint({
  route: 'GET /regions/{region_id}/layers/{shape_layer_uuid}/shapes',
  permission: 'signed_in',
  summary: 'Shapes of a layer without their geometry, by page; `text` searches name, id and description',
  request: {
    params: layerParams,
    query: z.object({
      text: z.string().max(200).optional(),
      order_by: z.enum(shapeOrders).default('shape_name'),
      ...pageQuery(200, 5000),
    }),
  },
  response: pageSchema(ShapeRow),
})
/** GeoJSON and KML in WGS84, shapefile as zip with .prj and .cpg, CSV with WKT in the last column. */
export const exportLayer = endpoint({
  route: 'GET /regions/{region_id}/layers/{shape_layer_uuid}/export',
  permission: 'signed_in',
  summary: 'Download a layer as GeoJSON, KML, zipped shapefile or CSV',
  request: { params: layerParams, query: z.object({ format: z.enum(layerExportFormats) }) },
  response: { media: 'application/octet-stream' },
})
export const listLayerDependents = endpoint({
  route: 'GET /regions/{region_id}/layers/{shape_layer_uuid}/dependents',
  permission: 'signed_in',
  summary: 'What depends on a layer',
  request: { params: layerParams },
  response: Dependents,
})
export const listShapeDependents = endpoint({
  route: 'GET /regions/{region_id}/shapes/{shape_uuid}/dependents',
  permission: 'signed_in',
  summary: 'What depends on a shape',
  request: { params: shapeParams },
  response: Dependents,
})
export const layerHasPolicies = endpoint({
  route: 'GET /regions/{region_id}/layers/{shape_layer_uuid}/has_policies',
  permission: 'signed_in',
  summary: 'Whether a policy applies to a layer',
  request: { params: layerParams },
  response: hasPolicies,
})
export const shapeHasPolicies = endpoint({
  route: 'GET /regions/{region_id}/shapes/{shape_uuid}/has_policies',
  permission: 'signed_in',
  summary: 'Whether a mobility policy applies to a shape',
  request: { params: shapeParams },
  response: hasPolicies,
})
export const shapeHasCurbPolicies = endpoint({
  route: 'GET /regions/{region_id}/shapes/{shape_uuid}/has_policies_v2',
  permission: 'signed_in',
  summary: 'Whether a policy of any product applies to a shape',
  request: { params: shapeParams },
  response: hasPolicies,
})
export const listShapePolicies = endpoint({
  route: 'GET /regions/{region_id}/shapes/{shape_uuid}/all_policies',
  permission: 'signed_in',
  summary: 'Policies that apply to a shape',
  request: { params: shapeParams },
  response: shapePolicies,
})
export const getShapeCalendar = endpoint({
  route: 'GET /regions/{region_id}/shapes/{shape_uuid}/calendar',
  permission: 'signed_in',
  summary: 'When policies apply in a shape, by start',
  request: { params: shapeParams },
  response: shapePolicies,
})
export const listPotentialRules = endpoint({
  route: 'GET /regions/{region_id}/shapes/{shape_uuid}/potential_rules',
  permission: 'signed_in',
  summary: 'Rules of saved policies that would apply in a shape once published',
  request: { params: shapeParams },
  response: shapePolicies,
})
/** Lengths of the lines of a layer in meters, per shape and in total. Areas and points are omitted. */
export const CurbLengths = z
  .object({
    count: z.number().int(),
    total_length_m: z.number(),
    average_length_m: z.number().nullable(),
    min_length_m: z.number().nullable(),
    max_length_m: z.number().nullable(),
    items: z.array(z.object({ shape_uuid: z.uuid(), shape_name: z.string(), length_m: z.number() })),
  })
  .meta({ id: 'CurbLengths' })
export type CurbLengths = z.infer<typeof CurbLengths>
export const getCurbLengths = endpoint({
  route: 'GET /regions/{region_id}/layers/{shape_layer_uuid}/curb_length_statistics',
  permission: 'signed_in',
  summary: 'Lengths of the lines of a layer',
  request: { params: layerParams },
  response: CurbLengths,
})

export const listLayerCubes = endpoint({
  route: 'GET /regions/{region_id}/cubes',
  permission: 'signed_in',
  summary: 'Progress of the hourly sums of each layer',
  request: { params: regionParams },
  response: z.object({ items: z.array(LayerCubes) }),
})
export const getLayerCubes = endpoint({
  route: 'GET /regions/{region_id}/layers/{shape_layer_uuid}/cubes',
  permission: 'signed_in',
  summary: 'Progress of the hourly sums of a layer',
  request: { params: layerParams },
  response: LayerCubes,
})
