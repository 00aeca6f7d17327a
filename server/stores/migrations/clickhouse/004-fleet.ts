/**
 * The fleet. Each table keeps, of rows of one key, the one with the highest `version`: readers take `latest()`, which sees only that.
 *
 * vehicle_events: as received. `version` is the rank of an event's content (publication time, then a hash), so that the same event
 * received twice or in two versions ends in the same row whatever came first. `superseded`: the event was published again with
 * another time.
 * vehicle_intervals, parking_events: derived; `version` counts derivations, `is_deleted` takes a row back.
 */
export const fleet = {
  name: '004-fleet',
  statements: [
    `create table if not exists vehicle_events (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      device_id UUID,
      event_time DateTime64(3, 'UTC'),
      event_id UUID,
      state LowCardinality(String),
      event_types Array(LowCardinality(String)),
      trip_ids Array(UUID),
      lon Float64,
      lat Float64,
      accuracy Float32,
      battery Float32,
      turn UInt8,
      superseded UInt8,
      feed_id String,
      batch_id UUID,
      received_time DateTime64(3, 'UTC'),
      version UInt64,
      index batch batch_id type bloom_filter(0.01) granularity 1
    ) engine = ReplacingMergeTree(version) partition by toMonday(event_time) order by (region_id, operator, device_id, event_time, event_id)`,
    `create table if not exists vehicles (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      device_id UUID,
      vehicle_id String,
      vehicle_type LowCardinality(String),
      mode LowCardinality(String),
      propulsion_types Array(LowCardinality(String)),
      attributes String,
      version UInt64
    ) engine = ReplacingMergeTree(version) order by (region_id, operator, device_id)`,
    `create table if not exists vehicle_intervals (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      device_id UUID,
      from_time DateTime64(3, 'UTC'),
      event_id UUID,
      to_time DateTime64(3, 'UTC'),
      state LowCardinality(String),
      event_types Array(LowCardinality(String)),
      vehicle_type LowCardinality(String),
      trip_id UUID,
      lon Float64,
      lat Float64,
      accuracy Float32,
      battery Float32,
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toMonday(from_time) order by (region_id, operator, device_id, from_time, event_id)`,
    `create table if not exists parking_events (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      device_id UUID,
      from_time DateTime64(3, 'UTC'),
      event_id UUID,
      to_time DateTime64(3, 'UTC'),
      ended UInt8,
      vehicle_type LowCardinality(String),
      lon Float64,
      lat Float64,
      accuracy Float32,
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toMonday(from_time) order by (region_id, operator, device_id, from_time, event_id)`,
    `create table if not exists fleet_dirty (
      region_id LowCardinality(String),
      run_id UUID,
      operator LowCardinality(String),
      device_id UUID,
      from_time DateTime64(3, 'UTC')
    ) engine = MergeTree partition by run_id order by (region_id, operator, device_id)`,
  ],
}
