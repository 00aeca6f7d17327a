/**
 * The ways of trips: `lon` and `lat` in millionths of a degree, simplified, `seconds` since the start; `segments` of the streets layer that
 * were ridden, in order, `directions` 1 as drawn and -1 against it. Versions as in `trips`.
 */
export const routes = {
  name: '007-routes',
  statements: [
    `create table if not exists trip_routes (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      trip_id UUID,
      device_id UUID,
      vehicle_type LowCardinality(String),
      start_time DateTime64(3, 'UTC'),
      local_date Date,
      local_hour UInt8,
      lon Array(Int32),
      lat Array(Int32),
      seconds Array(UInt32),
      length_m Float64,
      points UInt32,
      segments Array(UInt64),
      directions Array(Int8),
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYYYYMM(local_date) order by (region_id, local_date, operator, trip_id)`,
  ],
}
