/**
 * Trips as they are stored. Times are instants; `local_date` and `local_hour` are of the region's zone at the start.
 * NaN: not known. `quality` holds one bit per flag (contract/mobility.ts). Coordinates stay Float64: membership is exact.
 */
export const trips = {
  name: '001-trips',
  statements: [
    `create table if not exists trips (
      region_id LowCardinality(String),
      trip_id UUID,
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
      vehicle_id String,
      start_time DateTime64(3, 'UTC'),
      end_time Nullable(DateTime64(3, 'UTC')),
      local_date Date,
      local_hour UInt8,
      start_lon Float64,
      start_lat Float64,
      end_lon Float64,
      end_lat Float64,
      distance_m Float64,
      duration_s Float64,
      quality UInt16,
      import_id UUID,
      chunk UInt32,
      line UInt64
    ) engine = MergeTree partition by region_id order by (region_id, local_date, operator, start_time)`,
    `create table if not exists set_aside_rows (
      region_id LowCardinality(String),
      import_id UUID,
      chunk UInt32,
      line UInt64,
      reason LowCardinality(String),
      detail String,
      raw String
    ) engine = MergeTree order by (region_id, import_id, line)`,
  ],
}
