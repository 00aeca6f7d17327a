const endOf = `select region_id, operator, trip_id, assumeNotNull(trips.end_time) as end_time, local_date, start_time, abs(dateDiff('second', trips.start_time, assumeNotNull(trips.end_time))) > 86400 as is_odd from trips where isNotNull(trips.end_time)`
const longRest = `select region_id, operator, device_id, from_time, to_time, version from parking_events where dateDiff('second', from_time, to_time) > 604800`

/**
 * shape_hours: what happened in a shape in an hour of the region's clock; `shape_key` is a hash of the shape's geometry. Versions as in the fleet's tables.
 * cube_shapes: lists of keys by the number of their shapes in a layer.
 * trip_ends, long_rests: where to look for trips by their end and for rests of more than a week. Kept by the engine with every insert; what
 * they point at may be gone, so they are never counted themselves.
 */
export const cubes = {
  name: '009-cubes',
  statements: [
    `create table if not exists shape_hours (
      region_id LowCardinality(String),
      shape_key UInt64,
      hour DateTime('UTC'),
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
      origins UInt32,
      destinations UInt32,
      parking_begins UInt32,
      drop_offs UInt32,
      parked_ms UInt64,
      available_ms UInt64,
      reserved_ms UInt64,
      non_operational_ms UInt64,
      non_contactable_ms UInt64,
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYYYYMM(hour) order by (region_id, shape_key, hour, operator, vehicle_type)`,
    `create table if not exists cube_shapes (
      region_id LowCardinality(String),
      list_id UUID,
      number UInt32,
      shape_key UInt64
    ) engine = ReplacingMergeTree order by (region_id, list_id, number)`,
    `create table if not exists trip_ends (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      trip_id UUID,
      end_time DateTime64(3, 'UTC'),
      local_date Date,
      start_time DateTime64(3, 'UTC'),
      is_odd UInt8
    ) engine = ReplacingMergeTree partition by is_odd order by (region_id, operator, trip_id, end_time, start_time)`,
    `create table if not exists long_rests (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      device_id UUID,
      from_time DateTime64(3, 'UTC'),
      to_time DateTime64(3, 'UTC'),
      version UInt64
    ) engine = ReplacingMergeTree(version) order by (region_id, operator, device_id, from_time)`,
    `create materialized view if not exists trip_ends_kept to trip_ends as ${endOf}`,
    `create materialized view if not exists long_rests_kept to long_rests as ${longRest}`,
    `insert into trip_ends ${endOf}`,
    `insert into long_rests ${longRest}`,
  ],
}
