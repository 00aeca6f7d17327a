/** Where the trips of one chunk of an import wait until repeated ones are told apart; a partition an import, emptied after each chunk. */
export const tripsStaging = {
  name: '003-trips-staging',
  statements: [
    `create table if not exists trips_staging (
      region_id LowCardinality(String), trip_id UUID, operator LowCardinality(String), vehicle_type LowCardinality(String), vehicle_id String,
      start_time DateTime64(3, 'UTC'), end_time Nullable(DateTime64(3, 'UTC')), local_date Date, local_hour UInt8,
      start_lon Float64, start_lat Float64, end_lon Float64, end_lat Float64, distance_m Float64, duration_s Float64,
      quality UInt16, import_id UUID, chunk UInt32, line UInt64, raw String
    ) engine = MergeTree partition by import_id order by trip_id`,
  ],
}

/** Fields of rows are kept beside the store now, and only until their chunk is stored. */
export const stagingWithoutRaw = {
  name: '016-staging-without-raw',
  statements: ['alter table trips_staging drop column if exists raw'],
}
