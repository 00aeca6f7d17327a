import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'
import type { HistoryWanted } from './trip-ends.ts'

const stored = ({ regionId, operator }: HistoryWanted): Sql =>
  sql`${facts('trips')} where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)}`

/** The stored trips as their operator reported them: rows of `trip_reports` (tripReportColumns). */
export const historyReports = (wanted: HistoryWanted): Sql => sql`
  select region_id, operator, trip_id, toUUID(vehicle_id), start_time, assumeNotNull(end_time), start_lon, start_lat, end_lon, end_lat, distance_m, duration_s, '', '', toUUID('00000000-0000-0000-0000-000000000000'), assumeNotNull(end_time), 0
  from ${stored(wanted)} and end_time < fromUnixTimestamp64Milli(${bind('Int64', wanted.until)}, 'UTC')`

/** Some of the vehicles, next to one another in the store, from the beginning of time on: rows of `fleet_dirty`. */
export const historyVehicles = (
  { regionId, operator }: HistoryWanted,
  runId: string,
  first: number,
  count: number,
): Sql => sql`
  select distinct region_id, ${bind('UUID', runId)}, operator, device_id, toDateTime64(0, 3, 'UTC')
  from ${facts('vehicle_events')} where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)}
  order by device_id limit ${bind('UInt32', first)}, ${bind('UInt32', count)}`
