/** The history of stations of station-based systems (decision 037). */
export const schema = {
  name: '004-station-history',
  statements: [
    // station_spans: times in which a feed was polled without a gap, within a UTC day. until_time is the
    // last poll; it increases with each, and the latest value counts.
    `create table if not exists station_spans (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      feed_id String,
      from_time DateTime64(3, 'UTC'),
      until_time DateTime64(3, 'UTC'),
      version UInt64
    ) engine = ReplacingMergeTree(version) partition by toYYYYMM(from_time) order by (region_id, operator, feed_id, from_time)`,
    // station_states: the state of a station since a poll. Each span begins with one row per station; later
    // rows are changes. is_listed is 0 if the feed no longer contains the station. Null means that the feed
    // does not say.
    `create table if not exists station_states (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      feed_id String,
      station_id String,
      from_time DateTime64(3, 'UTC'),
      is_listed UInt8,
      vehicles_available UInt32,
      docks_available Nullable(UInt32),
      vehicles_disabled Nullable(UInt32),
      is_installed UInt8,
      is_renting UInt8,
      is_returning UInt8,
      reported_time Nullable(DateTime64(3, 'UTC')),
      version UInt64
    ) engine = ReplacingMergeTree(version) partition by toYYYYMM(from_time) order by (region_id, operator, feed_id, station_id, from_time)`,
    // station_details: name, place and capacity of a station since a time, stored when they change.
    // is_virtual: a station without docks.
    `create table if not exists station_details (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      feed_id String,
      station_id String,
      from_time DateTime64(3, 'UTC'),
      name String,
      lon Float64,
      lat Float64,
      capacity Nullable(UInt32),
      is_virtual UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version) order by (region_id, operator, feed_id, station_id, from_time)`,
  ],
}
