import type { TripColumn } from '#contract/ingest.ts'

/** The meanings as the form shows them. */
export const columnGroups: readonly { key: string; columns: readonly TripColumn[] }[] = [
  { key: 'trip', columns: ['trip_id', 'vehicle_id', 'operator', 'vehicle_type'] },
  {
    key: 'start',
    columns: ['start_time', 'start_date', 'start_clock', 'start_lon', 'start_lat', 'start_station'],
  },
  { key: 'end', columns: ['end_time', 'end_date', 'end_clock', 'end_lon', 'end_lat', 'end_station'] },
  { key: 'measures', columns: ['distance', 'duration'] },
]
