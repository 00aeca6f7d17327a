/**
 * Vehicles, each from an instant on, and trips that batches have marked for derivation, instead of
 * `fleet_dirty` and `trip_dirty`. After a derivation, its marks are canceled by rows with a negative number
 * of marks: merges remove rows whose sum is zero. The two former tables had a partition for each run, of
 * which a busy server wrote and dropped a hundred per second. The next migration drops them, so that each
 * of the two can be repeated.
 */
export const schema = {
  name: '025-fleet-marks',
  statements: [
    `create table if not exists fleet_marks (
      region_id LowCardinality(String),
      run_id UUID,
      is_trip UInt8,
      operator LowCardinality(String),
      id UUID,
      from_time DateTime64(3, 'UTC'),
      marks Int32 default 1
    ) engine = SummingMergeTree(marks) order by (region_id, run_id, is_trip, operator, id, from_time)`,
    `insert into fleet_marks (region_id, run_id, is_trip, operator, id, from_time)
      select region_id, run_id, 0, operator, device_id, from_time from fleet_dirty
      union all select region_id, run_id, 1, operator, trip_id, toDateTime64(0, 3, 'UTC') from trip_dirty`,
  ],
}

export const dropSchema = {
  name: '026-drop-dirty-lists',
  statements: ['drop table if exists fleet_dirty', 'drop table if exists trip_dirty'],
}
