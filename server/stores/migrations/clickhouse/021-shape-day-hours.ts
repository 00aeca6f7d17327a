/**
 * Sums of shapes by local day, with the sums of each hour in arrays of one length (Nested). Keys are
 * hashes, so the shapes of a layer are scattered among those of other layers: granules and compressed
 * blocks are small, so that reading a shape does not decompress its neighbors. The next migration drops
 * `shape_day_sums`, so that each of the two can be repeated.
 */
export const schema = {
  name: '021-shape-day-hours',
  statements: [
    `create table if not exists shape_day_hours (
      region_id LowCardinality(String),
      shape_key UInt64,
      day Date,
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
      orig UInt64,
      dest UInt64,
      either UInt64,
      orig_measured UInt64,
      dest_measured UInt64,
      orig_mm UInt64,
      dest_mm UInt64,
      parking_begins UInt64,
      drop_offs UInt64,
      parked_ms UInt64,
      available_ms UInt64,
      reserved_ms UInt64,
      non_operational_ms UInt64,
      non_contactable_ms UInt64,
      by_hour Nested (
        hour UInt8,
        orig UInt32,
        dest UInt32,
        either UInt32,
        orig_measured UInt32,
        dest_measured UInt32,
        orig_mm UInt64,
        dest_mm UInt64,
        parking_begins UInt32,
        drop_offs UInt32,
        parked_ms UInt64,
        available_ms UInt64,
        reserved_ms UInt64,
        non_operational_ms UInt64,
        non_contactable_ms UInt64
      ),
      version UInt64
    ) engine = ReplacingMergeTree(version) partition by toYYYYMM(day) order by (region_id, shape_key, day, operator, vehicle_type)
    settings min_age_to_force_merge_seconds = 7200, min_age_to_force_merge_on_partition_only = 1, index_granularity = 512, min_compress_block_size = 4096`,
    'insert into shape_day_hours select * from shape_day_sums final',
  ],
}

export const dropSchema = {
  name: '022-drop-shape-day-sums',
  statements: ['drop table if exists shape_day_sums'],
}
