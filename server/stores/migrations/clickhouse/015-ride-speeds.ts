/**
 * ride_speeds: places of rides whose speed (m/s) is known, told or found, by UTC day and whole m/s (`pace`), so that only the fast ones are read.
 * Former builds that were removed leave the disk with the next merge: as in 014 it comes by itself.
 * ride_speed_days: which `build` of an operator's day stands, and of what it was made: `tally` changes with any telemetry of the day.
 */
export const rideSpeeds = {
  name: '015-ride-speeds',
  statements: [
    `create table if not exists ride_speeds (
      region_id LowCardinality(String),
      day Date,
      operator LowCardinality(String),
      build UInt64,
      pace UInt8,
      device_id UUID,
      time DateTime64(3, 'UTC'),
      telemetry_id UUID,
      trip_id UUID,
      lon Float64,
      lat Float64,
      accuracy Float32,
      speed Float64
    ) engine = MergeTree partition by toMonday(day) order by (region_id, day, pace, operator, device_id, time)
    settings min_age_to_force_merge_seconds = 7200, min_age_to_force_merge_on_partition_only = 1`,
    `create table if not exists ride_speed_days (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      day Date,
      build UInt64,
      tally UInt64
    ) engine = ReplacingMergeTree(build) order by (region_id, operator, day)`,
  ],
}
