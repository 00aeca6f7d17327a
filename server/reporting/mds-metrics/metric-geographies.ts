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

interface Geography {
  id: string
  geometry: Geometry
}

const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)

async function shapesWhere(
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

/** Published geographies of policies; one with several geometries has several entries. */
async function publishedAreas(store: Store, regionId: string, ids: readonly string[]): Promise<Geography[]> {
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

const unknownValues = (name: string, values: readonly string[]): AgencyError =>
  new AgencyError(400, 'bad_param', `The region has no ${name} ${values.slice(0, 5).join(', ')}.`, [
    'filters',
    ...values.slice(0, 20),
  ])

/**
 * The geographies of a question. Its filters name shapes, published geographies of policies, or layers, which
 * stand for all of their shapes; the type of a geography is the slug of its layer. Without filters, a split
 * by geography uses the shapes of the primary layer. Null if facts count at any location.
 */
export async function findMetricGeographies(
  { state, membership }: { state: State; membership: LayerMembership },
  scope: Scope,
  regionId: string,
  { dimensions, filters }: Pick<MetricsQuery, 'dimensions' | 'filters'>,
): Promise<MetricGeographies | null> {
  const { geography_id: requested, geography_type: types } = filters
  if (!requested && !types && !dimensions.includes('geography_id')) return null
  const layers = (await listLayers(state, scope, regionId)).filter(
    ({ geometry_type: type, level }) => type === 'area' && !level?.startsWith('basemap:'),
  )
  const unknownTypes = types?.filter((type) => !layers.some(({ slug }) => slug === type)) ?? []
  if (unknownTypes.length) throw unknownValues('geography_type', unknownTypes)
  const [primary] = layers
  if (!requested && !types && !primary)
    throw new AgencyError(400, 'bad_param', 'The region has no layer of areas.', ['dimensions'])
  const allowed = types ? layers.filter(({ slug }) => types.includes(slug)) : layers
  const ids = requested?.map((id) => id.toLowerCase()) ?? []
  const invalidIds = ids.filter((id) => !isUuid(id))
  if (invalidIds.length) throw unknownValues('geography', invalidIds)
  const chosenLayers = requested
    ? allowed.filter(({ shape_layer_uuid: id }) => ids.includes(id))
    : types
      ? allowed
      : primary
        ? [primary]
        : []
  const [onlyLayer] = chosenLayers
  if (!requested && onlyLayer && chosenLayers.length === 1) {
    const { shapeIds, indexes } = await membership.forLayer(scope, onlyLayer, 0)
    rejectTooMany(shapeIds.length)
    return { ids: shapeIds, areas: { indexes, geographyNumbers: shapeIds.map((_, index) => index + 1) } }
  }
  const singleIds = ids.filter((id) => !layers.some(({ shape_layer_uuid: layer }) => layer === id))
  const [layerShapes, shapes, published] = await Promise.all([
    shapesWhere(
      state.as(scope),
      regionId,
      'layer_id',
      chosenLayers.map(({ shape_layer_uuid: id }) => id),
    ),
    shapesWhere(state.as(scope), regionId, 'shape_uuid', singleIds),
    publishedAreas(state.as(scope), regionId, singleIds),
  ])
  const foundIds = new Set([...shapes, ...published].map(({ id }) => id))
  const missing = singleIds.filter((id) => !foundIds.has(id))
  if (missing.length) throw unknownValues('geography', missing)
  const isAllowed = ({ layerId }: { layerId: string }): boolean =>
    !types || allowed.some(({ shape_layer_uuid: id }) => id === layerId)
  const areas = [
    ...new Map([...layerShapes, ...shapes.filter(isAllowed)].map((each) => [each.id, each])).values(),
    ...(types ? [] : published),
  ].filter(({ geometry }) => isArea(geometry))
  const areaIds = [...new Set(areas.map(({ id }) => id))]
  rejectTooMany(areaIds.length)
  const content = createHash('sha256').update(JSON.stringify(areas)).digest('hex')
  return {
    ids: areaIds,
    areas: {
      indexes: areas.length
        ? await membership.forAreas(
            scope,
            `metrics ${content}`,
            areas.map(({ geometry }) => geometry),
          )
        : [],
      geographyNumbers: areas.map(({ id }) => areaIds.indexOf(id) + 1),
    },
  }
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
