import { findPolicyType } from '#contract/policy-types/list.ts'
import { citywide, type PolicyFields } from '#contract/policy.ts'
import type { Geometry, Position } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** The current geometry of a shape to which a policy applies, or of the region's boundary. */
export interface PolicyShape {
  /** The shape's id, or `region`. */
  source: string
  shapeId: string | null
  name: string
  description: string | null
  type: 'policy_zone' | 'municipal_boundary'
  geometries: Geometry[]
}

/** The source of a region's boundary. */
export const regionSource = 'region'
/** Half the side (degrees of latitude) of the square that is the boundary of a region without layers. */
const halfSideDegrees = 0.25

function makeSquareAround({ lat, lon }: Pick<Region, 'lat' | 'lon'>): Geometry {
  const halfWidth = halfSideDegrees / Math.cos((lat * Math.PI) / 180)
  const ring: Position[] = [
    [lon - halfWidth, lat - halfSideDegrees],
    [lon + halfWidth, lat - halfSideDegrees],
    [lon + halfWidth, lat + halfSideDegrees],
    [lon - halfWidth, lat + halfSideDegrees],
    [lon - halfWidth, lat - halfSideDegrees],
  ]
  return { type: 'Polygon', coordinates: [ring] }
}

/** Finds the boundary of a region: areas of its first layer of areas, or else a square around its center. */
async function findRegionBoundary(state: State, scope: Scope, region: Region): Promise<PolicyShape> {
  const layers = await listLayers(state, scope, region.regionId)
  const layer = layers.find(
    ({ level, geometry_type: type }) => type === 'area' && !level?.startsWith('basemap:'),
  )
  const boundary = layer
    ? (await findLayerGeometries(state, scope, layer.shape_layer_uuid)).map(({ geometry }) => geometry)
    : []
  const description = layer
    ? `The areas of ${layer.layer_name}`
    : 'A square around the center: no boundary has been drawn yet'
  return {
    source: regionSource,
    shapeId: null,
    name: region.text,
    description,
    type: 'municipal_boundary',
    geometries: boundary.length ? boundary : [makeSquareAround(region)],
  }
}

/**
 * Finds the shapes to which a policy applies: the chosen shapes of its layer, or all of them if none is
 * chosen. For citywide policies and types that apply to the region, the region's boundary.
 */
export async function findPolicyShapes(
  state: State,
  scope: Scope,
  region: Region,
  { policy_type: type, shape_layer_uuid: layerId, shape_uuids: shapeIds }: PolicyFields,
): Promise<PolicyShape[]> {
  if (layerId === null || layerId === citywide || findPolicyType(type)?.place === 'region')
    return [await findRegionBoundary(state, scope, region)]
  let shapes = state
    .as(scope)
    .selectFrom('shape')
    .select(['shape_uuid', 'name', 'description', 'geometry'])
    .where('region_id', '=', region.regionId)
    .where('layer_id', '=', layerId)
  if (shapeIds.length) shapes = shapes.where('shape_uuid', 'in', shapeIds)
  const rows = await shapes.orderBy('position').orderBy('shape_uuid').execute()
  return rows.map((row): PolicyShape => ({
    source: row.shape_uuid,
    shapeId: row.shape_uuid,
    name: row.name,
    description: row.description,
    type: 'policy_zone',
    geometries: [row.geometry as Geometry],
  }))
}
