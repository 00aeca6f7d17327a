/** Facts of reports, derived by local day. */
export const schema = {
  name: '002-reports',
  statements: [
    // report_hours: counts of a local hour, for any grouping by operator and vehicle type. Distances (mm)
    // and durations (ms) of its trips are in the same order, 4294967295 if a value is unknown or the trip
    // is an outlier, so that medians and histograms are exact. records: the operator's records of the hour,
    // as counted by data health.
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
    // report_fleet_days: the fleet of a local day. minutes: vehicles in the public right of way at each
    // minute, so that the maximum is exact for any grouping. deployed: vehicles that were in it at any time.
    // active: vehicles that started a trip. daytime_ms: time in it within the region's operating hours.
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
