/**
 * Weeks and months without new rows for two hours are merged into one part, which `final` reads in a sixth
 * of the time, because no row of a single part has an older version in another. With merges by size alone,
 * some parts would never be merged. The merge also removes deleted rows from the disk.
 */
const mergedWhenQuiet =
  'settings min_age_to_force_merge_seconds = 7200, min_age_to_force_merge_on_partition_only = 1'

/**
 * The schema of the fact store. Every statement is repeatable, because ClickHouse has no transactional DDL.
 * Times are instants; NaN means unknown. A table with a column `version` retains the row with the highest
 * version of each key; queries read only that row, through `latest()`.
 */
export const schema = {
  name: '001-schema-of-trips-by-hour',
  statements: [
    // Geography: the membership index of a layer (decision 002).
    // Two levels of cells, each with the code of a face, a block of finer cells or an edge cell; the edges
    // of edge cells; the faces with their shapes. index_id identifies the content, so rows never change.
    `create table if not exists layer_indexes (index_id String, content String, part UInt8, grid String) engine = MergeTree order by (content, part)`,
    `create table if not exists layer_codes (index_id String, first UInt64, codes Array(UInt32)) engine = MergeTree order by (index_id, first)`,
    `create table if not exists layer_edges (
      index_id String, edge_cell UInt64, rx Float64, ry Float64, faces Array(UInt32), ref UInt32,
      x0 Array(Float64), x1 Array(Float64), y0 Array(Float64), slope Array(Float64), hx Array(Float64), bit Array(UInt32)
    ) engine = MergeTree order by (index_id, edge_cell)`,
    `create table if not exists layer_faces (index_id String, face UInt64, shapes Array(UInt32)) engine = MergeTree order by (index_id, face)`,
    // Mobility, the fleet. vehicle_events: as received. version is the rank of an event's content
    // (publication time, then a hash), so that repeated events and several versions of one event result in
    // the same row in any order. superseded: the event was published again with another time.
    // vehicle_intervals, parking_events: derived. version counts derivations; is_deleted marks a row as
    // withdrawn. fleet_dirty: vehicles to derive again.
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
    ) engine = ReplacingMergeTree(version) partition by toMonday(event_time) order by (region_id, operator, device_id, event_time, event_id)
    ${mergedWhenQuiet}`,
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
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toMonday(from_time) order by (region_id, operator, device_id, from_time, event_id)
    ${mergedWhenQuiet}`,
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
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toMonday(from_time) order by (region_id, operator, device_id, from_time, event_id)
    ${mergedWhenQuiet}`,
    `create table if not exists fleet_dirty (
      region_id LowCardinality(String),
      run_id UUID,
      operator LowCardinality(String),
      device_id UUID,
      from_time DateTime64(3, 'UTC')
    ) engine = MergeTree partition by run_id order by (region_id, operator, device_id)`,
    // Mobility, trips. trips: local_date and local_hour are those of the start in the region's time zone.
    // quality has one bit per flag (contract/mobility.ts). Coordinates are Float64, because membership is
    // exact. source: a file, the operator's report, its events, or both of these. version is 0 for trips of
    // files. trip_reports: trips as operators reported them. trip_events: an index of events by trip, filled
    // by trips_of_events. trip_dirty: trips to derive again. telemetry, stops: as received, with version as
    // in vehicle_events.
    `create table if not exists trips (
      region_id LowCardinality(String),
      trip_id UUID,
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
      vehicle_id String,
      start_time DateTime64(3, 'UTC'),
      end_time Nullable(DateTime64(3, 'UTC')),
      local_date Date,
      local_hour UInt8,
      start_lon Float64,
      start_lat Float64,
      end_lon Float64,
      end_lat Float64,
      distance_m Float64,
      duration_s Float64,
      quality UInt16,
      import_id UUID,
      chunk UInt32,
      line UInt64,
      source LowCardinality(String) default 'file',
      is_deleted UInt8 default 0,
      version UInt64 default 0,
      index by_trip trip_id type bloom_filter(0.01) granularity 1
    ) engine = ReplacingMergeTree(version, is_deleted) partition by region_id order by (region_id, local_date, operator, start_time, trip_id)`,
    `create table if not exists trip_reports (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      trip_id UUID,
      device_id UUID,
      start_time DateTime64(3, 'UTC'),
      end_time DateTime64(3, 'UTC'),
      start_lon Float64,
      start_lat Float64,
      end_lon Float64,
      end_lat Float64,
      distance_m Float64,
      duration_s Float64,
      attributes String,
      feed_id String,
      batch_id UUID,
      received_time DateTime64(3, 'UTC'),
      version UInt64,
      index batch batch_id type bloom_filter(0.01) granularity 1
    ) engine = ReplacingMergeTree(version) partition by cityHash64(trip_id) % 8 order by (region_id, operator, trip_id)`,
    `create table if not exists trip_events (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      trip_id UUID,
      device_id UUID,
      event_time DateTime64(3, 'UTC'),
      event_id UUID
    ) engine = ReplacingMergeTree partition by toMonday(event_time) order by (region_id, operator, trip_id, device_id, event_time, event_id)`,
    `create materialized view if not exists trips_of_events to trip_events as
      select region_id, operator, arrayJoin(trip_ids) as trip_id, device_id, event_time, event_id from vehicle_events`,
    `create table if not exists trip_dirty (
      region_id LowCardinality(String),
      run_id UUID,
      operator LowCardinality(String),
      trip_id UUID
    ) engine = MergeTree partition by run_id order by (region_id, operator, trip_id)`,
    `create table if not exists telemetry (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      device_id UUID,
      time DateTime64(3, 'UTC'),
      telemetry_id UUID,
      trip_id UUID,
      lon Float64,
      lat Float64,
      speed Float32,
      heading Float32,
      accuracy Float32,
      battery Float32,
      feed_id String,
      batch_id UUID,
      received_time DateTime64(3, 'UTC'),
      version UInt64,
      index by_trip trip_id type bloom_filter(0.01) granularity 1
    ) engine = ReplacingMergeTree(version) partition by toMonday(time) order by (region_id, operator, device_id, time, telemetry_id)
    ${mergedWhenQuiet}`,
    `create table if not exists stops (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      stop_id String,
      name String,
      lon Float64,
      lat Float64,
      attributes String,
      version UInt64
    ) engine = ReplacingMergeTree(version) order by (region_id, operator, stop_id)`,
    // Mobility, records of batches.
    // feed_findings: remarks about single records. feed_batches: one row per stored batch.
    `create table if not exists feed_findings (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      feed_id String,
      stream LowCardinality(String),
      batch_id UUID,
      received_time DateTime64(3, 'UTC'),
      kind LowCardinality(String),
      record_id String,
      field String,
      reason String,
      raw String
    ) engine = MergeTree partition by toYYYYMM(received_time) order by (region_id, operator, feed_id, received_time)`,
    `create table if not exists feed_batches (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      feed_id String,
      stream LowCardinality(String),
      batch_id UUID,
      received_time DateTime64(3, 'UTC'),
      piece DateTime64(3, 'UTC'),
      accepted UInt32,
      set_aside UInt32,
      repeated UInt32,
      first_time DateTime64(3, 'UTC'),
      last_time DateTime64(3, 'UTC')
    ) engine = MergeTree partition by toYYYYMM(received_time) order by (region_id, operator, feed_id, received_time)`,
    // Mobility, snapshots: the positions of vehicles at one time, from a GBFS feed or a file. Ids rotate: a
    // vehicle has its id in one snapshot only. The feed_id of a file is "file:" and the id of the import.
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
    // Mobility, cubes. Keys are hashes; small granules avoid reading the shapes of other layers. shape_hours:
    // counts and sums of a shape in a local hour. shape_key is a hash of the geometry. shape_days: the same
    // by local day, so that a year of a map is a hundred thousand rows instead of millions: the sums of the
    // day, the local hours with facts, and the sums of each of these. A withdrawn day has zeros and no hours.
    // cube_shapes: lists of keys by the index of their shape in a layer. long_rests: where to look for
    // vehicles that did not move for more than a week. ClickHouse adds to it at every insert. Such a rest may
    // be withdrawn later, so rows of it are never counted.
    `create table if not exists shape_hours (
      region_id LowCardinality(String),
      shape_key UInt64,
      hour DateTime('UTC'),
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
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
      non_contactable_ms UInt64,
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYYYYMM(hour) order by (region_id, shape_key, hour, operator, vehicle_type)`,
    `create table if not exists shape_days (
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
    ) engine = ReplacingMergeTree(version) partition by toYear(day) order by (region_id, shape_key, day, operator, vehicle_type)
    settings index_granularity = 1024`,
    `create table if not exists cube_shapes (
      region_id LowCardinality(String),
      list_id UUID,
      number UInt32,
      shape_key UInt64
    ) engine = ReplacingMergeTree order by (region_id, list_id, number)`,
    `create table if not exists long_rests (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      device_id UUID,
      from_time DateTime64(3, 'UTC'),
      to_time DateTime64(3, 'UTC'),
      version UInt64
    ) engine = ReplacingMergeTree(version) order by (region_id, operator, device_id, from_time)`,
    `create materialized view if not exists long_rests_kept to long_rests as
      select region_id, operator, device_id, from_time, to_time, version from parking_events where dateDiff('second', from_time, to_time) > 604800`,
    // Mobility, routes. lon and lat are simplified, in millionths of a degree; seconds are since the start.
    // segments: the ridden segments of the streets layer, in order. directions: 1 as drawn, -1 against it.
    `create table if not exists trip_routes (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      trip_id UUID,
      device_id UUID,
      vehicle_type LowCardinality(String),
      start_time DateTime64(3, 'UTC'),
      local_date Date,
      local_hour UInt8,
      lon Array(Int32),
      lat Array(Int32),
      seconds Array(UInt32),
      length_m Float64,
      points UInt32,
      segments Array(UInt64),
      directions Array(Int8),
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYYYYMM(local_date) order by (region_id, local_date, operator, trip_id)
    ${mergedWhenQuiet}`,
    // Mobility, segment volumes: trips along street segments, in the direction in which they are drawn and
    // against it, by local day and hour of the start. Changes are inserted as differences: readers sum the
    // rows of a key, so no versions are needed. segment_days has no hours.
    `create table if not exists segment_days (
      region_id LowCardinality(String),
      local_date Date,
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
      segment UInt64,
      forward Int32,
      backward Int32
    ) engine = SummingMergeTree((forward, backward)) partition by toYYYYMM(local_date) order by (region_id, local_date, operator, vehicle_type, segment)`,
    `create table if not exists segment_hours (
      region_id LowCardinality(String),
      local_date Date,
      operator LowCardinality(String),
      vehicle_type LowCardinality(String),
      local_hour UInt8,
      segment UInt64,
      forward Int32,
      backward Int32
    ) engine = SummingMergeTree((forward, backward)) partition by toYYYYMM(local_date) order by (region_id, local_date, operator, vehicle_type, local_hour, segment)`,
    // Mobility, the shapes that routes touch.
    // way_lists: a list of shapes, each with a buffer around it. Keys are hashes of their geometries in the
    // order of the layer. way_shapes: for each route the indices of the shapes that it touches. way_days:
    // up to which version of a day's routes, and which number of rows of that version, a list is complete.
    `create table if not exists way_lists (
      region_id LowCardinality(String),
      list_id UUID,
      layer_id UUID,
      buffer Float64,
      keys Array(String),
      made_time DateTime64(3, 'UTC')
    ) engine = ReplacingMergeTree(made_time) order by (region_id, list_id)`,
    `create table if not exists way_shapes (
      region_id LowCardinality(String),
      list_id UUID,
      local_date Date,
      operator LowCardinality(String),
      trip_id UUID,
      vehicle_type LowCardinality(String),
      local_hour UInt8,
      shapes Array(UInt32),
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYYYYMM(local_date) order by (region_id, list_id, local_date, operator, trip_id)`,
    `create table if not exists way_days (
      region_id LowCardinality(String),
      list_id UUID,
      local_date Date,
      version UInt64,
      version_rows UInt64
    ) engine = ReplacingMergeTree(version) order by (region_id, list_id, local_date)`,
    // Ingest. trips_staging: the trips of one chunk of an import until duplicates are found. One partition
    // per import, emptied after each chunk. operator_reports: MDS reports, the trips and riders of a group in
    // a month as counted by operators; -1 means fewer than ten. The report that was received last counts.
    `create table if not exists set_aside_rows (
      region_id LowCardinality(String),
      import_id UUID,
      chunk UInt32,
      line UInt64,
      reason LowCardinality(String),
      detail String,
      raw String
    ) engine = MergeTree order by (region_id, import_id, line)`,
    `create table if not exists trips_staging (
      region_id LowCardinality(String), trip_id UUID, operator LowCardinality(String), vehicle_type LowCardinality(String), vehicle_id String,
      start_time DateTime64(3, 'UTC'), end_time Nullable(DateTime64(3, 'UTC')), local_date Date, local_hour UInt8,
      start_lon Float64, start_lat Float64, end_lon Float64, end_lat Float64, distance_m Float64, duration_s Float64,
      quality UInt16, import_id UUID, chunk UInt32, line UInt64
    ) engine = MergeTree partition by import_id order by trip_id`,
    `create table if not exists operator_reports (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      start_date Date,
      special_group_type LowCardinality(String),
      geography_id String,
      vehicle_type LowCardinality(String),
      trip_count Int64,
      rider_count Int64,
      feed_id String,
      version UInt64
    ) engine = ReplacingMergeTree(version) order by (region_id, operator, start_date, special_group_type, geography_id, vehicle_type)`,
    // Compliance. ride_speeds: positions during trips with a known speed (m/s), reported or derived, by UTC
    // day and whole m/s (pace), so that only the fast ones are read. ride_speed_days: the valid build of an
    // operator's day, and the facts that it was derived from: tally changes with any telemetry of the day.
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
    ${mergedWhenQuiet}`,
    `create table if not exists ride_speed_days (
      region_id LowCardinality(String),
      operator LowCardinality(String),
      day Date,
      build UInt64,
      tally UInt64
    ) engine = ReplacingMergeTree(build) order by (region_id, operator, day)`,
  ],
}
