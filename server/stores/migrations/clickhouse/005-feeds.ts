const tripColumns = `
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
      line UInt64`
const copied =
  'region_id, trip_id, operator, vehicle_type, vehicle_id, start_time, end_time, local_date, local_hour, start_lon, start_lat, end_lon, end_lat, distance_m, duration_s, quality, import_id, chunk, line'

/**
 * Trips that feeds may tell anew: `trips` keeps, of rows of one key, the one with the highest `version`; 0 for those of files. `source`
 * tells what a trip was made of: a `file`, the operator's `report`, its `events`, or `both`.
 *
 * trip_reports: trips as operators reported them. trip_events: which events name a trip, an index by trip. telemetry, stops: as received.
 * `version` of what is received is its rank as in vehicle_events. trip_dirty: trips to be put together anew. feed_findings: what is to be
 * said about single records. feed_batches: one row for each piece that was stored.
 */
export const feeds = {
  name: '005-feeds',
  statements: [
    // Moved step by step, so that a move cut off anywhere goes on when all of it runs again.
    `create table if not exists trips (${tripColumns}) engine = MergeTree partition by region_id order by (region_id, local_date, operator, start_time)`,
    `create table if not exists trips_moved (${tripColumns},
      source LowCardinality(String) default 'file',
      is_deleted UInt8 default 0,
      version UInt64 default 0,
      index by_trip trip_id type bloom_filter(0.01) granularity 1
    ) engine = ReplacingMergeTree(version, is_deleted) partition by region_id order by (region_id, local_date, operator, start_time, trip_id)`,
    `insert into trips_moved (${copied}) select ${copied} from trips`,
    `drop table if exists trips`,
    `rename table if exists trips_moved to trips`,
    `create table if not exists trip_reports (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      trip_id UUID,
      device_id UUID,
      start_time DateTime64(3, 'UTC'),
      end_time DateTime64(3, 'UTC'),
      start_lon Float64,
      start_lat Float64,
      end_lon Float64,
      end_lat Float64,
      distance_m Float64,
      duration_s Float64,
      attributes String,
      feed_id String,
      batch_id UUID,
      received_time DateTime64(3, 'UTC'),
      version UInt64,
      index batch batch_id type bloom_filter(0.01) granularity 1
    ) engine = ReplacingMergeTree(version) partition by cityHash64(trip_id) % 8 order by (region_id, operator, trip_id)`,
    `create table if not exists trip_events (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      trip_id UUID,
      device_id UUID,
      event_time DateTime64(3, 'UTC'),
      event_id UUID
    ) engine = ReplacingMergeTree partition by toMonday(event_time) order by (region_id, operator, trip_id, device_id, event_time, event_id)`,
    `create table if not exists trip_dirty (
      region_id LowCardinality(String),
      run_id UUID,
      operator LowCardinality(String),
      trip_id UUID
    ) engine = MergeTree partition by run_id order by (region_id, operator, trip_id)`,
    `create table if not exists telemetry (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      device_id UUID,
      time DateTime64(3, 'UTC'),
      telemetry_id UUID,
      trip_id UUID,
      lon Float64,
      lat Float64,
      speed Float32,
      heading Float32,
      accuracy Float32,
      battery Float32,
      feed_id String,
      batch_id UUID,
      received_time DateTime64(3, 'UTC'),
      version UInt64,
      index by_trip trip_id type bloom_filter(0.01) granularity 1
    ) engine = ReplacingMergeTree(version) partition by toMonday(time) order by (region_id, operator, device_id, time, telemetry_id)`,
    `create table if not exists stops (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      stop_id String,
      name String,
      lon Float64,
      lat Float64,
      attributes String,
      version UInt64
    ) engine = ReplacingMergeTree(version) order by (region_id, operator, stop_id)`,
    `create table if not exists feed_findings (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      feed_id String,
      stream LowCardinality(String),
      batch_id UUID,
      received_time DateTime64(3, 'UTC'),
      kind LowCardinality(String),
      record_id String,
      field String,
      reason String,
      raw String
    ) engine = MergeTree partition by toYYYYMM(received_time) order by (region_id, operator, feed_id, received_time)`,
    `create table if not exists feed_batches (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      feed_id String,
      stream LowCardinality(String),
      batch_id UUID,
      received_time DateTime64(3, 'UTC'),
      piece DateTime64(3, 'UTC'),
      accepted UInt32,
      set_aside UInt32,
      repeated UInt32,
      first_time DateTime64(3, 'UTC'),
      last_time DateTime64(3, 'UTC')
    ) engine = MergeTree partition by toYYYYMM(received_time) order by (region_id, operator, feed_id, received_time)`,
  ],
}
