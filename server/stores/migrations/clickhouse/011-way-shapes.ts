/**
 * Which shapes the ways of trips touch. way_lists: a list of shapes grown by a buffer; `keys` are hashes of their geometries in the layer's order.
 * way_shapes: of each way the numbers of the list's shapes that it touches; versions as in trip_routes. way_days: up to which version of a day's ways,
 * and to how many rows of that version, a list knows them.
 */
export const wayShapes = {
  name: '011-way-shapes',
  statements: [
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
  ],
}
