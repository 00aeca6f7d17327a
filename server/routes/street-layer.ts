import type { Geometry } from '#contract/place.ts'
import type { DependentSource } from '#server/geography/dependents/dependents.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { StreetLine } from './street-segments.ts'

/** The level of a region's layer of streets. */
const streetLevel = 'basemap:street'

/** Finds the layer that routes are matched to: of several street layers the one created first. */
export const findStreetLayer = (
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
): Promise<{ layer_id: string; content_hash: string } | undefined> =>
  state
    .as(scope)
    .selectFrom('layer')
    .select(['layer_id', 'content_hash'])
    .where('region_id', '=', regionId)
    .where('level', '=', streetLevel)
    .orderBy('created_time')
    .executeTakeFirst()

/** Returns the lines of a street layer; shapes that are not lines are skipped. */
export const toStreetLines = (shapes: readonly { shapeId: string; geometry: Geometry }[]): StreetLine[] =>
  shapes.flatMap(({ shapeId, geometry }): StreetLine[] => {
    if (geometry.type === 'LineString') return [{ shapeUuid: shapeId, coordinates: geometry.coordinates }]
    return geometry.type === 'MultiLineString'
      ? geometry.coordinates.map((coordinates) => ({ shapeUuid: shapeId, coordinates }))
      : []
  })

/**
 * Reports that routes depend on the layer that they are matched to. Single streets may be deleted: only their
 * computed volumes are lost.
 */
export const createStreetDependents =
  (state: State): DependentSource =>
  async (scope, { shape_layer_uuid: id, region_id: regionId, level }, shapeIds) => {
    if (level !== streetLevel || shapeIds) return []
    const layer = await findStreetLayer(state, scope, regionId)
    return layer?.layer_id === id ? [{ kind: 'streets', id: null, name: 'Ways of trips', count: null }] : []
  }
