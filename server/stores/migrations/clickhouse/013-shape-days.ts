/** shape_days: the hours of shape_hours together by local day: a year of a map is a hundred thousand rows instead of millions. What is taken back stands with zeros. */
export const shapeDays = {
  name: '013-shape-days',
  statements: [
    `create table if not exists shape_days (
      region_id LowCardinality(String),
      shape_key UInt64,
      day Date,
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
      origins UInt64,
      destinations UInt64,
      parking_begins UInt64,
      drop_offs UInt64,
      parked_ms UInt64,
      available_ms UInt64,
      reserved_ms UInt64,
      non_operational_ms UInt64,
      non_contactable_ms UInt64,
      version UInt64
    ) engine = ReplacingMergeTree(version) partition by toYear(day) order by (region_id, shape_key, day, operator, vehicle_type)`,
  ],
}
