/** Facts of reports, derived by local day. */
export const schema = {
  name: '002-reports',
  statements: [
    // report_hours: what happened in an hour of the region's clock, for any grouping of operators and kinds
    // of vehicles. Distances (mm) and durations (ms) of its trips are in the same order, 4294967295 where a
    // value is unknown or the trip is an outlier, so that medians and histograms are exact. records: what
    // the operator's feed had for the hour, as data health counts it.
    `create table if not exists report_hours (
      region_id LowCardinality(String),
      day Date,
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
      propulsion LowCardinality(String),
      hour DateTime('UTC'),
      local_hour UInt8,
      trip_count UInt32,
      excluded UInt32,
      distances Array(UInt32),
      durations Array(UInt32),
      parking_begins UInt32,
      drop_offs UInt32,
      pick_ups UInt32,
      parked_ms UInt64,
      available_ms UInt64,
      reserved_ms UInt64,
      on_trip_ms UInt64,
      stopped_ms UInt64,
      non_operational_ms UInt64,
      non_contactable_ms UInt64,
      low_battery_ms UInt64,
      records UInt32,
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYear(day) order by (region_id, day, operator, vehicle_type, propulsion, hour)`,
    // report_fleet_days: the fleet of a local day. minutes: vehicles in the public right of way at each of its
    // minutes, so that the largest number is exact for any grouping. deployed, active: vehicles that were in it
    // at all, that started a trip. daytime_ms: time in it within the operating hours of the region.
    `create table if not exists report_fleet_days (
      region_id LowCardinality(String),
      day Date,
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
      propulsion LowCardinality(String),
      minutes Array(UInt32),
      deployed UInt32,
      active UInt32,
      daytime_ms UInt64,
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYear(day) order by (region_id, day, operator, vehicle_type, propulsion)`,
  ],
}
