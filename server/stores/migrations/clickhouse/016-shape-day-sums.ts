/**
 * Sums of shapes by local day, partitioned by month instead of year: months without new rows become one
 * part, which `final` reads in half of the time. Keys are hashes; small granules avoid reading the shapes
 * of other layers. The next migration drops `shape_days`, so that each of the two can be repeated.
 */
export const schema = {
  name: '016-shape-day-sums',
  statements: [
    `create table if not exists shape_day_sums (
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
      hours Array(UInt8),
      orig_by_hour Array(UInt64),
      dest_by_hour Array(UInt64),
      either_by_hour Array(UInt64),
      orig_measured_by_hour Array(UInt64),
      dest_measured_by_hour Array(UInt64),
      orig_mm_by_hour Array(UInt64),
      dest_mm_by_hour Array(UInt64),
      parking_begins_by_hour Array(UInt64),
      drop_offs_by_hour Array(UInt64),
      parked_ms_by_hour Array(UInt64),
      available_ms_by_hour Array(UInt64),
      reserved_ms_by_hour Array(UInt64),
      non_operational_ms_by_hour Array(UInt64),
      non_contactable_ms_by_hour Array(UInt64),
      version UInt64
    ) engine = ReplacingMergeTree(version) partition by toYYYYMM(day) order by (region_id, shape_key, day, operator, vehicle_type)
    settings min_age_to_force_merge_seconds = 7200, min_age_to_force_merge_on_partition_only = 1, index_granularity = 1024`,
    'insert into shape_day_sums select * from shape_days final',
  ],
}

export const dropSchema = { name: '017-drop-shape-days', statements: ['drop table if exists shape_days'] }
