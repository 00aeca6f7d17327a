import type { Selectable } from 'kysely'
import type { Layer } from '#contract/geography.ts'
import { Problem } from '#server/http/problem.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** A row of `selectLayers`. */
type ReadableLayer = Selectable<StateTables['layer']> & {
  modifier: string | null
  cube_status: string | null
}

/** Selects layers with the name of the user who last changed them, and the status of their current cubes. */
export const selectLayers = (store: Store) =>
  store
    .selectFrom('layer')
    .leftJoin('user', 'user.id', 'layer.modified_by')
    .selectAll('layer')
    .select('user.name as modifier')
    .select((eb) =>
      eb
        .selectFrom('cube_layer')
        .select('status')
        .whereRef('cube_layer.layer_id', '=', 'layer.layer_id')
        .whereRef('cube_layer.content_hash', '=', 'layer.content_hash')
        .as('cube_status'),
    )

const getCountsStatus = ({
  vehicle_counts: isOn,
  cube_status: status,
}: Pick<ReadableLayer, 'vehicle_counts' | 'cube_status'>): Layer['vehicle_counts_status'] => {
  if (!isOn) return 'off'
  return status === 'ready' || status === 'failed' ? status : 'processing'
}

/** Converts a stored layer to the form of the API. */
export const readLayer = (row: ReadableLayer): Layer => ({
  shape_layer_uuid: row.layer_id,
  region_id: row.region_id,
  layer_name: row.name,
  layer_slug: row.slug,
  name: row.name,
  slug: row.slug,
  level: row.level,
  editable: row.editable,
  buffers: row.buffers,
  intersect_route: row.intersect_route,
  hourly_processing: row.hourly_processing,
  parking_duration_filters: row.parking_duration_filters,
  vehicle_counts: row.vehicle_counts,
  vehicle_counts_status: getCountsStatus(row),
  shape_count: row.shape_count,
  overlaps: row.has_overlaps,
  geometry_type: row.geometry_type as Layer['geometry_type'],
  bbox: row.bbox,
  content_hash: row.content_hash,
  modified_time: row.modified_time.toISOString(),
  modified_by: row.modifier,
  attribution: row.attribution,
})

/** Lists the layers of a region by name; the primary layer first, basemaps last. */
export async function listLayers(state: State, scope: Scope, regionId: string): Promise<Layer[]> {
  await findRegion(state, scope, regionId)
  const rows = await selectLayers(state.as(scope))
    .where('region_id', '=', regionId)
    .orderBy('layer.name')
    .execute()
  const getRank = ({ level }: Layer): number => {
    if (level === 'l1') return 0
    return level?.startsWith('basemap:') ? 2 : 1
  }
  return rows.map(readLayer).sort((a, b) => getRank(a) - getRank(b))
}

/** Finds a layer of a region. @throws Problem `not_found` if there is none in the Scope. */
export async function findLayer(
  state: State,
  scope: Scope,
  regionId: string,
  layerId: string,
): Promise<Layer> {
  const row = await selectLayers(state.as(scope))
    .where('region_id', '=', regionId)
    .where('layer_id', '=', layerId)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such layer in this region.'))
  return readLayer(row)
}
