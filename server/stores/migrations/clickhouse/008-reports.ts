/** MDS reports: trips and riders of a group in a month, as operators count them; -1: fewer than ten. The report received last counts. */
export const reports = {
  name: '008-reports',
  statements: [
    `create table if not exists operator_reports (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      start_date Date,
      special_group_type LowCardinality(String),
      geography_id String,
      vehicle_type LowCardinality(String),
      trip_count Int64,
      rider_count Int64,
      feed_id String,
      version UInt64
    ) engine = ReplacingMergeTree(version) order by (region_id, operator, start_date, special_group_type, geography_id, vehicle_type)`,
  ],
}
