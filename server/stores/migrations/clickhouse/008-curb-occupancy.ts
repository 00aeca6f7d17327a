/** Imported curb counts, and the occupancy of zones by local day (decision 047). */
export const schema = {
  name: '008-curb-occupancy',
  statements: [
    // curb_counts: counts of imported files by place and hour. Rows of the same place and hour of an import
    // are summed. A row counts once its import is published. occupied_ms, known_ms, unknown_ms: space time
    // that was occupied, known and unknown. closed_ms: space time out of service. spaces: number of spaces
    // of the place according to the file; 0 is unknown. is_share: the times are of one space, and must be
    // multiplied by the zone's capacity.
    `create table if not exists curb_counts (
      region_id LowCardinality(String),
      import_id UUID,
      day Date,
      hour DateTime('UTC'),
      place String,
      source LowCardinality(String),
      occupied_ms Float64,
      known_ms Float64,
      unknown_ms Float64,
      closed_ms Float64,
      spaces Float64,
      is_share UInt8
    ) engine = MergeTree partition by toYear(day) order by (region_id, day, import_id, place, hour)`,
    // curb_occupancy_days: seconds of space time by hour of the local day, 24 values each. open_s: open
    // (measured) or paid time. known_s, occupied_s: only hours of which at least half is known. sources:
    // the source of each day. basis: the basis of the capacity.
    `create table if not exists curb_occupancy_days (
      region_id LowCardinality(String),
      kind LowCardinality(String),
      day Date,
      zone_id LowCardinality(String),
      source LowCardinality(String),
      basis LowCardinality(String),
      capacity Float32,
      open_s Array(UInt32),
      known_s Array(UInt32),
      occupied_s Array(UInt32),
      is_deleted UInt8,
      version UInt64
    ) engine = ReplacingMergeTree(version, is_deleted) partition by toYear(day) order by (region_id, kind, day, zone_id)`,
  ],
}
