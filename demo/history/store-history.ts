import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/stores/facts.ts'
import { deriveFleet } from '#server/fleet/events/derive-fleet.ts'
import { markColumns, withdrawMarks } from '#server/fleet/events/dirty-marks.ts'
import { eventLineColumns, formatEventLines } from '#server/fleet/events/event-lines.ts'
import { tripReportColumns } from '#server/fleet/events/record-lines.ts'
import type { VehicleEvent } from '#server/fleet/events/feed-records.ts'
import type { Scope } from '#server/stores/scope.ts'
import { historyEvents } from './history-events.ts'
import type { HistorySource } from './trip-ends.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'

const storedTrips = ({ regionId, operator }: HistorySource): Sql =>
  sql`${facts('trips')} where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)}`

/** Selects rows of `trip_reports` (tripReportColumns) that an operator would have reported for its trips. */
const historyReports = (source: HistorySource): Sql => sql`
  select region_id, operator, trip_id, toUUID(vehicle_id), start_time, assumeNotNull(end_time), start_lon, start_lat, end_lon, end_lat, distance_m, duration_s, '', '', toUUID('00000000-0000-0000-0000-000000000000'), assumeNotNull(end_time), 0
  from ${storedTrips(source)} and end_time < fromUnixTimestamp64Milli(${bind('Int64', source.seamMs)}, 'UTC')`

/** Selects rows of `fleet_marks` that mark a range of vehicles, in storage order, as dirty since 1970. */
const historyVehicles = (
  { regionId, operator }: HistorySource,
  runId: string,
  first: number,
  count: number,
): Sql => sql`
  select distinct region_id, ${bind('UUID', runId)}, 0, operator, device_id, toDateTime64(0, 3, 'UTC')
  from ${facts('vehicle_events')} where region_id = ${bind('String', regionId)} and operator = ${bind('String', operator)}
  order by device_id limit ${bind('UInt32', first)}, ${bind('UInt32', count)}`

/** Limits for statements that cover a year of events of a large fleet. */
const statementOptions = { limits: { seconds: 600, memory: 6 * 2 ** 30 }, areDistinct: true }

const noBatch = '00000000-0000-0000-0000-000000000000'

/** Number of vehicles that are derived in one step; more would take gigabytes. */
const vehiclesPerStep = 450

export interface StoreHistoryOptions {
  /** Number of the operator's vehicles. */
  vehicles: number
  /** Whether events have IDs in the operator's feed. */
  hasIds: boolean
  /** Version of the derived rows. */
  version: bigint
  lostAfterHours: number
  /** Last events before the feeds begin that cannot be derived from trips. */
  atSeam: readonly VehicleEvent[]
}

/** Derives an operator's events, trip reports and other facts from its stored trips, in the fact store. */
export async function storeHistory(
  store: Facts,
  scope: Scope,
  source: HistorySource,
  { vehicles, hasIds, version, lostAfterHours, atSeam }: StoreHistoryOptions,
): Promise<void> {
  await store.add(scope, 'vehicle_events', {
    columns: eventLineColumns,
    rows: historyEvents(source, hasIds),
    ...statementOptions,
  })
  if (atSeam.length)
    await store.insert(scope, 'vehicle_events', {
      columns: eventLineColumns,
      regionId: source.regionId,
      lines: formatEventLines(atSeam, {
        regionId: source.regionId,
        feedId: '',
        batchId: noBatch,
        received: source.seamMs,
      }),
    })
  await store.add(scope, 'trip_reports', {
    columns: tripReportColumns,
    rows: historyReports(source),
    ...statementOptions,
  })
  for (let first = 0; first < vehicles; first += vehiclesPerStep) {
    const runId = randomUUID()
    await store.add(scope, 'fleet_marks', {
      columns: markColumns,
      rows: historyVehicles(source, runId, first, vehiclesPerStep),
      ...statementOptions,
    })
    const { spanRunId } = await deriveFleet(store, scope, {
      regionId: source.regionId,
      runIds: [runId],
      version,
      lostAfterHours,
      isFirst: true,
    })
    await withdrawMarks(store, scope, source.regionId, [runId, spanRunId])
  }
}
