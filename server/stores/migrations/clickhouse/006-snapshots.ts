/**
 * Where vehicles stood at one moment, as a GBFS feed or a snapshot file told. Ids rotate: a vehicle is known by its id in one snapshot
 * only. NaN and null: not known. `feed_id` of a file is `file:` with the import's id. Readers take `latest()`.
 */
export const snapshots = {
  name: '006-snapshots',
  statements: [
    `create table if not exists vehicle_snapshots (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      feed_id String,
      snapshot_time DateTime64(3, 'UTC'),
      vehicle_id String,
      vehicle_type LowCardinality(String),
      lon Float64,
      lat Float64,
      battery Float32,
      range_m Float32,
      is_available Nullable(UInt8),
      is_reserved Nullable(UInt8),
      is_disabled Nullable(UInt8),
      last_reported Nullable(DateTime64(3, 'UTC')),
      version UInt64
    ) engine = ReplacingMergeTree(version) partition by toYYYYMM(snapshot_time) order by (region_id, operator, feed_id, snapshot_time, vehicle_id)`,
  ],
}
