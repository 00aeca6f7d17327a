import { createHash } from 'node:crypto'
import { type Geometry, isArea } from '#contract/place.ts'
import { AgencyError } from '#server/feeds/agency/agency-error.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { MetricAreas } from '#server/fleet/reports/read-mds-metrics.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { MetricsQuery } from './metric-question.ts'

/** Geographies of a question, numbered from 1 in the order of `ids`, and their areas. */
export interface MetricGeographies {
  ids: readonly string[]
  areas: MetricAreas
}

/** Maximum number of geographies in one question. */
const maxGeographies = 2000

type Layer = Awaited<ReturnType<typeof listLayers>>[number]

interface Geography {
  id: string
  geometry: Geometry
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Limits of the values named in an error: in its message and in its details. */
const maxValuesInMessage = 5
const maxValuesInDetails = 20

async function findShapesWhere(
  store: Store,
  regionId: string,
  column: 'layer_id' | 'shape_uuid',
  values: readonly string[],
): Promise<(Geography & { layerId: string })[]> {
  if (!values.length) return []
  const rows = await store
    .selectFrom('shape')
    .select(['shape_uuid', 'layer_id', 'geometry'])
    .where('region_id', '=', regionId)
    .where(column, 'in', values)
    .orderBy('position')
    .orderBy('shape_uuid')
    .execute()
  return rows.map((row) => ({
    id: row.shape_uuid,
    layerId: row.layer_id,
    geometry: row.geometry as Geometry,
  }))
}

/** Returns the published geographies of policies; one with several geometries has several entries. */
async function readPublishedAreas(
  store: Store,
  regionId: string,
  ids: readonly string[],
): Promise<Geography[]> {
  if (!ids.length) return []
  const rows = await store
    .selectFrom('policy_geography')
    .select(['geography_id', 'geography_json'])
    .where('region_id', '=', regionId)
    .where('geography_id', 'in', ids)
    .execute()
  return rows.flatMap((row) =>
    (row.geography_json as { features: { geometry: Geometry }[] }).features.map(({ geometry }) => ({
      id: row.geography_id,
      geometry,
    })),
  )
}

const makeUnknownValuesProblem = (name: string, values: readonly string[]): AgencyError =>
  new AgencyError(
    400,
    'bad_param',
    `The region has no ${name} ${values.slice(0, maxValuesInMessage).join(', ')}.`,
    ['filters', ...values.slice(0, maxValuesInDetails)],
  )

/** Finds the layers of areas, without basemaps; the primary layer is the first. */
async function findAreaLayers(
  state: State,
  scope: Scope,
  regionId: string,
  types: readonly string[] | undefined,
): Promise<Layer[]> {
  const layers = (await listLayers(state, scope, regionId)).filter(
    ({ geometry_type: type, level }) => type === 'area' && !level?.startsWith('basemap:'),
  )
  const unknownTypes = types?.filter((type) => !layers.some(({ slug }) => slug === type)) ?? []
  if (unknownTypes.length) throw makeUnknownValuesProblem('geography_type', unknownTypes)
  return layers
}

/** Returns all shapes of a layer, with the index that maps have of it. */
async function readLayerGeographies(
  membership: LayerMembership,
  scope: Scope,
  layer: Layer,
): Promise<MetricGeographies> {
  const { shapeIds, indexes } = await membership.forLayer(scope, layer, 0)
  rejectTooMany(shapeIds.length)
  return { ids: shapeIds, areas: { indexes, geographyNumbers: shapeIds.map((_, index) => index + 1) } }
}

/** Numbers areas by their ids. Several areas may have the same id. */
async function numberAreas(
  membership: LayerMembership,
  scope: Scope,
  areas: readonly Geography[],
): Promise<MetricGeographies> {
  const ids = [...new Set(areas.map(({ id }) => id))]
  rejectTooMany(ids.length)
  const content = createHash('sha256').update(JSON.stringify(areas)).digest('hex')
  const geometries = areas.map(({ geometry }) => geometry)
  return {
    ids,
    areas: {
      indexes: areas.length ? await membership.forAreas(scope, `metrics ${content}`, geometries) : [],
      geographyNumbers: areas.map(({ id }) => ids.indexOf(id) + 1),
    },
  }
}

/**
 * Finds the geographies of a question. Its filters name shapes, published geographies of policies, or layers,
 * which stand for all of their shapes; the type of a geography is the slug of its layer. Without filters, a
 * split by geography uses the shapes of the primary layer. Null if facts count at any location.
 */
export async function findMetricGeographies(
  { state, membership }: { state: State; membership: LayerMembership },
  scope: Scope,
  regionId: string,
  { dimensions, filters }: Pick<MetricsQuery, 'dimensions' | 'filters'>,
): Promise<MetricGeographies | null> {
  const { geography_id: requestedIds, geography_type: types } = filters
  if (!requestedIds && !types && !dimensions.includes('geography_id')) return null
  const layers = await findAreaLayers(state, scope, regionId, types)
  const allowedLayers = types ? layers.filter(({ slug }) => types.includes(slug)) : layers
  if (!requestedIds) {
    const defaultLayers = types ? allowedLayers : layers.slice(0, 1)
    const [layer] = defaultLayers
    if (!layer && !types)
      throw new AgencyError(400, 'bad_param', 'The region has no layer of areas.', ['dimensions'])
    if (layer && defaultLayers.length === 1) return readLayerGeographies(membership, scope, layer)
  }
  const ids = requestedIds?.map((id) => id.toLowerCase()) ?? []
  const invalidIds = ids.filter((id) => !uuidPattern.test(id))
  if (invalidIds.length) throw makeUnknownValuesProblem('geography', invalidIds)
  const chosenLayers = allowedLayers.filter(({ shape_layer_uuid: id }) => !requestedIds || ids.includes(id))
  const singleIds = ids.filter((id) => !layers.some(({ shape_layer_uuid: layer }) => layer === id))
  const store = state.as(scope)
  const layerIds = chosenLayers.map(({ shape_layer_uuid: id }) => id)
  const [layerShapes, shapes, publishedGeographies] = await Promise.all([
    findShapesWhere(store, regionId, 'layer_id', layerIds),
    findShapesWhere(store, regionId, 'shape_uuid', singleIds),
    readPublishedAreas(store, regionId, singleIds),
  ])
  const foundIds = new Set([...shapes, ...publishedGeographies].map(({ id }) => id))
  const missingIds = singleIds.filter((id) => !foundIds.has(id))
  if (missingIds.length) throw makeUnknownValuesProblem('geography', missingIds)
  const isAllowed = ({ layerId }: { layerId: string }): boolean =>
    !types || allowedLayers.some(({ shape_layer_uuid: id }) => id === layerId)
  const allowedShapes = [...layerShapes, ...shapes.filter(isAllowed)]
  // A shape may be named by itself and by its layer.
  const areas = [
    ...new Map(allowedShapes.map((shape) => [shape.id, shape])).values(),
    ...(types ? [] : publishedGeographies),
  ].filter(({ geometry }) => isArea(geometry))
  return numberAreas(membership, scope, areas)
}

function rejectTooMany(count: number): void {
  if (count > maxGeographies)
    throw new AgencyError(
      400,
      'bad_param',
      `A question is about at most ${maxGeographies} geographies; these are ${count}.`,
      ['filters'],
    )
}
