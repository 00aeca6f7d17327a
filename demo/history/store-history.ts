import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/stores/facts.ts'
import { deriveFleet } from '#server/fleet/events/derive-fleet.ts'
import { eventLineColumns, eventLines } from '#server/fleet/events/event-lines.ts'
import { tripReportColumns } from '#server/fleet/events/record-lines.ts'
import type { VehicleEvent } from '#server/fleet/events/vehicle-event.ts'
import type { Scope } from '#server/stores/scope.ts'
import { historyEvents } from './history-events.ts'
import type { HistoryWanted } from './trip-ends.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'

const stored = ({ regionId, operator }: HistoryWanted): Sql =>
  sql`${facts('trips')} where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)}`

/** The stored trips as their operator reported them: rows of `trip_reports` (tripReportColumns). */
const historyReports = (wanted: HistoryWanted): Sql => sql`
  select region_id, operator, trip_id, toUUID(vehicle_id), start_time, assumeNotNull(end_time), start_lon, start_lat, end_lon, end_lat, distance_m, duration_s, '', '', toUUID('00000000-0000-0000-0000-000000000000'), assumeNotNull(end_time), 0
  from ${stored(wanted)} and end_time < fromUnixTimestamp64Milli(${bind('Int64', wanted.until)}, 'UTC')`

/** Some of the vehicles, next to one another in the store, from the beginning of time on: rows of `fleet_dirty`. */
const historyVehicles = (
  { regionId, operator }: HistoryWanted,
  runId: string,
  first: number,
  count: number,
): Sql => sql`
  select distinct region_id, ${bind('UUID', runId)}, operator, device_id, toDateTime64(0, 3, 'UTC')
  from ${facts('vehicle_events')} where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)}
  order by device_id limit ${bind('UInt32', first)}, ${bind('UInt32', count)}`

/** A year of events of a large fleet in one statement. */
const asking = { limits: { seconds: 600, memory: 6 * 2 ** 30 }, areDistinct: true }

const noBatch = '00000000-0000-0000-0000-000000000000'

/** Vehicles whose year is derived at once: more would take gigabytes. */
const atOnce = 450

export interface StoringHistory {
  /** How many vehicles the operator has. */
  vehicles: number
  /** Whether events have ids in the operator's feed. */
  hasIds: boolean
  /** Of what is derived. */
  version: bigint
  lostAfterHours: number
  /** What trips do not tell of vehicles when the feeds take over. */
  atSeam: readonly VehicleEvent[]
}

/** Makes the past of an operator's vehicles out of its stored trips, inside of the fact store: events, reports, and all that is derived. */
export async function storeHistory(
  store: Facts,
  scope: Scope,
  wanted: HistoryWanted,
  { vehicles, hasIds, version, lostAfterHours, atSeam }: StoringHistory,
): Promise<void> {
  await store.add(scope, 'vehicle_events', eventLineColumns, historyEvents(wanted, hasIds), asking)
  if (atSeam.length)
    await store.insert(
      scope,
      'vehicle_events',
      eventLineColumns,
      wanted.regionId,
      eventLines(atSeam, { regionId: wanted.regionId, feedId: '', batchId: noBatch, received: wanted.until }),
    )
  await store.add(scope, 'trip_reports', tripReportColumns, historyReports(wanted), asking)
  for (let first = 0; first < vehicles; first += atOnce) {
    const runId = randomUUID()
    await store.add(
      scope,
      'fleet_dirty',
      ['region_id', 'run_id', 'operator', 'device_id', 'from_time'],
      historyVehicles(wanted, runId, first, atOnce),
      asking,
    )
    await deriveFleet(store, scope, {
      regionId: wanted.regionId,
      runIds: [runId],
      version,
      lostAfterHours,
      isFirst: true,
    })
    await store.emptyRuns([runId])
  }
}
