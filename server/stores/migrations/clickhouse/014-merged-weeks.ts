const tables = ['vehicle_events', 'vehicle_intervals', 'parking_events', 'telemetry', 'trip_routes']

/**
 * Weeks and months of which nothing new has come for two hours become one part by themselves: `final` then reads them as they are, in a sixth of the time, as
 * of one part no row can be older than another of its key. By size alone some parts would stay apart for good.
 */
export const mergedWeeks = {
  name: '014-merged-weeks',
  statements: tables.map(
    (table) =>
      `alter table ${table} modify setting min_age_to_force_merge_seconds = 7200, min_age_to_force_merge_on_partition_only = 1`,
  ),
}
