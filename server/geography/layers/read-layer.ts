import type { Selectable } from 'kysely'
import type { Layer, Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** Rows with the name of the user who last changed them (`modifier`). */
export type ReadableLayer = Selectable<StateTables['layer']> & {
  modifier: string | null
  cube_status: string | null
}
export type ReadableShape = Omit<Selectable<StateTables['shape']>, 'kind' | 'row_hash' | 'bbox'> & {
  modifier: string | null
}

const countsStatus = ({
  vehicle_counts: isOn,
  cube_status: cubes,
}: Pick<ReadableLayer, 'vehicle_counts' | 'cube_status'>): Layer['vehicle_counts_status'] => {
  if (!isOn) return 'off'
  return cubes === 'ready' || cubes === 'failed' ? cubes : 'processing'
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
  vehicle_counts_status: countsStatus(row),
  shape_count: row.shape_count,
  overlaps: row.has_overlaps,
  geometry_type: row.geometry_type as Layer['geometry_type'],
  bbox: row.bbox,
  content_hash: row.content_hash,
  modified_time: row.modified_time.toISOString(),
  modified_by: row.modifier,
  attribution: row.attribution,
})

/** Converts a stored shape to the form of the API. */
export const readShape = (row: ReadableShape): Shape => ({
  shape_uuid: row.shape_uuid,
  shape_id: row.shape_id,
  shape_name: row.name,
  shape_description: row.description,
  shape_layer_uuid: row.layer_id,
  geom: row.geometry as Geometry,
  properties: row.properties,
  created_time: row.created_time.toISOString(),
  modified_time: row.modified_time.toISOString(),
  modified_by: row.modifier,
  side_of_street: row.side_of_street,
})
