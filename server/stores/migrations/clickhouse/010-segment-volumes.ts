/**
 * Trips along street segments, as the street is drawn and against it, by local day and hour of their start. Rows of a key add up: what changes is
 * added as a difference, so that readers sum and need no versions. `segment_days` leaves the hours out.
 */
export const segmentVolumes = {
  name: '010-segment-volumes',
  statements: [
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
  ],
}
