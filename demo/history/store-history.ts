import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/stores/facts.ts'
import { deriveFleet } from '#server/mobility/fleet/derive-fleet.ts'
import { eventLineColumns, eventLines } from '#server/mobility/fleet/event-lines.ts'
import { tripReportColumns } from '#server/mobility/fleet/record-lines.ts'
import type { VehicleEvent } from '#server/mobility/fleet/vehicle-event.ts'
import type { Scope } from '#server/stores/scope.ts'
import { historyEvents } from './history-events.ts'
import { historyReports, historyVehicles } from './trip-records.ts'
import type { HistoryWanted } from './trip-ends.ts'

/** A year of events of a large fleet in one statement. */
const asking = { limits: { seconds: 600, memory: 6 * 2 ** 30 } }

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
    await deriveFleet(store, scope, { regionId: wanted.regionId, runIds: [runId], version, lostAfterHours })
    await store.emptyRuns([runId])
  }
}
