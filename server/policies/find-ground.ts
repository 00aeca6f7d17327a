import { policyTypeOf } from '#contract/policy-types/list.ts'
import { citywide, type PolicyFields } from '#contract/policy.ts'
import type { Geometry, Position } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { listLayers } from '#server/geography/find-layer.ts'
import { layerGeometries } from '#server/geography/find-shapes.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type Ground, regionSource } from './ground.ts'

/** Half of the side of the square that stands for a region without any layer, in degrees of latitude. */
const halfSide = 0.25

function squareAround({ lat, lon }: Pick<Region, 'lat' | 'lon'>): Geometry {
  const width = halfSide / Math.cos((lat * Math.PI) / 180)
  const ring: Position[] = [
    [lon - width, lat - halfSide],
    [lon + width, lat - halfSide],
    [lon + width, lat + halfSide],
    [lon - width, lat + halfSide],
    [lon - width, lat - halfSide],
  ]
  return { type: 'Polygon', coordinates: [ring] }
}

/** The boundary of a region: the areas of its primary layer; without one, of the layer that is first among the others; without any, a square around its centre. */
async function boundaryOf(state: State, scope: Scope, region: Region): Promise<Ground> {
  const layers = await listLayers(state, scope, region.regionId)
  const layer = layers.find(
    ({ level, geometry_type: type }) => type === 'area' && !level?.startsWith('basemap:'),
  )
  const found = layer
    ? (await layerGeometries(state, scope, layer.shape_layer_uuid)).map(({ geometry }) => geometry)
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
    geometries: found.length ? found : [squareAround(region)],
  }
}

/** Where a policy stands: the chosen shapes of its layer, all of them where none is chosen; the region's boundary where it is citywide or of a type that holds in the entire region. */
export async function findGround(
  state: State,
  scope: Scope,
  region: Region,
  { policy_type: type, shape_layer_uuid: layerId, shape_uuids: shapeIds }: PolicyFields,
): Promise<Ground[]> {
  if (layerId === null || layerId === citywide || policyTypeOf(type)?.place === 'region')
    return [await boundaryOf(state, scope, region)]
  let shapes = state
    .as(scope)
    .selectFrom('shape')
    .select(['shape_uuid', 'name', 'description', 'geometry'])
    .where('region_id', '=', region.regionId)
    .where('layer_id', '=', layerId)
  if (shapeIds.length) shapes = shapes.where('shape_uuid', 'in', shapeIds)
  const rows = await shapes.orderBy('position').orderBy('shape_uuid').execute()
  return rows.map((row): Ground => ({
    source: row.shape_uuid,
    shapeId: row.shape_uuid,
    name: row.name,
    description: row.description,
    type: 'policy_zone',
    geometries: [row.geometry as Geometry],
  }))
}
