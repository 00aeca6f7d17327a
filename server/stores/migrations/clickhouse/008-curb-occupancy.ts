/** Imported counts at the curb and the occupancy of zones by local day (decision 047). */
export const schema = {
  name: '008-curb-occupancy',
  statements: [
    // curb_counts: what imported files count, by place and hour; rows of the same place and hour of an import are added up. A row
    // counts once its import is published. occupied_ms, known_ms, unknown_ms: time of spaces that were occupied, known and not
    // known. closed_ms: time of spaces that were out of service. spaces: of the place by the file; 0 is unknown. is_share: of one
    // space, to be multiplied by the capacity of the zone.
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
    // curb_occupancy_days: seconds of spaces by hour of the local day, 24 values each. open_s: open (measured) or paid time;
    // known_s, occupied_s: of hours of which at least half is known. sources: which one each day is of. basis: of the capacity.
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
