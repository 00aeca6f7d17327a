/** Columns of `trips` that imported files fill, in the order of their lines. */
export const importedTripColumns = [
  'region_id',
  'trip_id',
  'operator',
  'vehicle_type',
  'vehicle_id',
  'start_time',
  'end_time',
  'local_date',
  'local_hour',
  'start_lon',
  'start_lat',
  'end_lon',
  'end_lat',
  'distance_m',
  'duration_s',
  'quality',
  'import_id',
  'chunk',
  'line',
] as const

/** All columns of `trips`. */
export const tripColumns = [...importedTripColumns, 'source', 'is_deleted', 'version'] as const
