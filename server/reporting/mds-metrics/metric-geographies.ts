import { createHash } from 'node:crypto'
import { type Geometry, isArea } from '#contract/place.ts'
import { AgencyError } from '#server/feeds/agency/agency-error.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import type { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import type { MetricAreas } from '#server/fleet/reports/read-mds-metrics.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { MetricsQuery } from './metric-question.ts'

/** Geographies of a question, by their numbers from 1 up, and where they are. */
export interface MetricGeographies {
  ids: readonly string[]
  areas: MetricAreas
}

/** Geographies of one question. */
const maxGeographies = 2000

interface Placed {
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
): Promise<(Placed & { layerId: string })[]> {
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

/** Published geographies of policies, each with all its geometries. */
async function publishedAreas(store: Store, regionId: string, ids: readonly string[]): Promise<Placed[]> {
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

const unknown = (name: string, values: readonly string[]): AgencyError =>
  new AgencyError(400, 'bad_param', `The region has no ${name} ${values.slice(0, 5).join(', ')}.`, [
    'filters',
    ...values.slice(0, 20),
  ])

/**
 * The geographies of a question: those that its filters name (a shape, a published geography of a policy, or a layer for all of its
 * shapes; layers by their type, which is the name in their address); without filters the shapes of the primary layer where the answer is
 * split by them. Null: facts count at any location.
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
  const strange = types?.filter((type) => !layers.some(({ slug }) => slug === type)) ?? []
  if (strange.length) throw unknown('geography_type', strange)
  const [primary] = layers
  if (!requested && !types && !primary)
    throw new AgencyError(400, 'bad_param', 'The region has no layer of areas.', ['dimensions'])
  const allowed = types ? layers.filter(({ slug }) => types.includes(slug)) : layers
  const ids = requested?.map((id) => id.toLowerCase()) ?? []
  const noIds = ids.filter((id) => !isUuid(id))
  if (noIds.length) throw unknown('geography', noIds)
  const chosen = requested
    ? allowed.filter(({ shape_layer_uuid: id }) => ids.includes(id))
    : types
      ? allowed
      : primary
        ? [primary]
        : []
  if (!requested && chosen.length === 1 && chosen[0]) {
    const { shapeIds, indexes } = await membership.forLayer(scope, chosen[0], 0)
    refuseMany(shapeIds.length)
    return { ids: shapeIds, areas: { indexes, geographyNumbers: shapeIds.map((_, at) => at + 1) } }
  }
  const single = ids.filter((id) => !layers.some(({ shape_layer_uuid: layer }) => layer === id))
  const [whole, shapes, published] = await Promise.all([
    shapesWhere(
      state.as(scope),
      regionId,
      'layer_id',
      chosen.map(({ shape_layer_uuid: id }) => id),
    ),
    shapesWhere(state.as(scope), regionId, 'shape_uuid', single),
    publishedAreas(state.as(scope), regionId, single),
  ])
  const known = new Set([...shapes, ...published].map(({ id }) => id))
  const missing = single.filter((id) => !known.has(id))
  if (missing.length) throw unknown('geography', missing)
  const isAllowed = ({ layerId }: { layerId: string }): boolean =>
    !types || allowed.some(({ shape_layer_uuid: id }) => id === layerId)
  const areas = [
    ...new Map([...whole, ...shapes.filter(isAllowed)].map((each) => [each.id, each])).values(),
    ...(types ? [] : published),
  ].filter(({ geometry }) => isArea(geometry))
  const found = [...new Set(areas.map(({ id }) => id))]
  refuseMany(found.length)
  const content = createHash('sha256').update(JSON.stringify(areas)).digest('hex')
  return {
    ids: found,
    areas: {
      indexes: areas.length
        ? await membership.forAreas(
            scope,
            `metrics ${content}`,
            areas.map(({ geometry }) => geometry),
          )
        : [],
      geographyNumbers: areas.map(({ id }) => found.indexOf(id) + 1),
    },
  }
}

function refuseMany(count: number): void {
  if (count > maxGeographies)
    throw new AgencyError(
      400,
      'bad_param',
      `A question is about at most ${maxGeographies} geographies; these are ${count}.`,
      ['filters'],
    )
}
