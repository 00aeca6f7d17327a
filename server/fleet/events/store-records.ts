import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts as factTable, sql, type Sql } from '#server/stores/sql.ts'
import { type BatchOrigin, eventLineColumns } from './event-lines.ts'
import type { FeedBatch, BatchResult } from './fleet-ingest.ts'
import {
  stopColumns,
  formatStopLines,
  telemetryColumns,
  formatTelemetryLines,
  tripReportColumns,
  formatTripReportLines,
  vehicleColumns,
  formatVehicleLines,
} from './record-lines.ts'
import { EventSearches } from './event-searches.ts'
import { storeEvents } from './store-events.ts'
import { DirtyMarks } from './dirty-marks.ts'
import type { Vehicle, VehicleEvent } from './feed-records.ts'

/**
 * Writes the last row of a repeatedly received event, which is the one that the store shows, once more with
 * the time of its first receipt, so that data health shows how late the event really was. To be called right
 * after a batch with repeated events is stored.
 */
async function storeFirstReceipts(
  facts: Facts,
  scope: Scope,
  { regionId, batchId }: BatchOrigin,
  events: readonly VehicleEvent[],
): Promise<void> {
  const span = { regionId, batchId, from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY }
  for (const { time } of events) {
    span.from = Math.min(span.from, time)
    span.until = Math.max(span.until, time)
  }
  await facts.add(scope, 'vehicle_events', {
    columns: eventLineColumns,
    rows: firstReceiptRows(span),
    limits: { seconds: 300, memory: 4 * 2 ** 30 },
  })
}

/** Builds SQL for the rows of `storeFirstReceipts`. `from` and `until`: the times of the batch's events, ms. */
const firstReceiptRows = (span: { regionId: string; batchId: string; from: number; until: number }): Sql => {
  const { regionId, batchId, from, until } = span
  const spanCondition = sql`
    region_id = ${bind('String', regionId)}
    and event_time between ${toDateTime(from)} and ${toDateTime(until)}`
  const batch = sql`${factTable('vehicle_events')} where ${spanCondition} and batch_id = ${bind('UUID', batchId)}`
  return sql`
    select
      region_id, operator, device_id, event_time, event_id, state, event_types, trip_ids, lon, lat,
      accuracy, battery, turn, superseded, feed_id, batch_id,
      first_receipt as received_time,
      version
    from (
      select
        *,
        min(received_time) over (
          partition by operator,
          device_id,
          event_id,
          event_time,
          version
        ) as first_receipt,
        first_receipt < received_time as came_before
      from ${factTable('vehicle_events')}
      where
        ${spanCondition}
        and (operator, device_id) in (select operator, device_id from ${batch})
        and event_id in (select event_id from ${batch})
    )
    where batch_id = ${bind('UUID', batchId)} and came_before`
}

/** The result of storing a batch. */
export interface StoredBatch extends BatchResult {
  /** The run with vehicles and trips to derive; null: nothing to derive. */
  runId: string | null
}

/** The new and changed registrations of a batch. */
export interface NewVehicles {
  vehicles: readonly Vehicle[]
  /** Those that change the vehicle type. */
  retyped: readonly Vehicle[]
}

/**
 * Stores the records of a batch. The marks are stored first, so that an interrupted batch is either derived
 * after the next start or was never acknowledged. Idempotent. The caller logs the result (feed-log.ts).
 */
export async function storeRecords(
  facts: Facts,
  scope: Scope,
  batch: FeedBatch,
  {
    newVehicles: { vehicles, retyped },
    searches = new EventSearches(facts),
  }: { newVehicles: NewVehicles; searches?: EventSearches },
): Promise<StoredBatch> {
  const { regionId, feedId, records } = batch
  // A batch is derived as one run, under the same id.
  const batchId = randomUUID()
  const runId = batchId
  const origin: BatchOrigin = { regionId, feedId, batchId, received: batch.received }
  const dirtyMarks = new DirtyMarks()
  for (const { operator, deviceId } of retyped) dirtyMarks.markVehicle(operator, deviceId, 0)
  for (const event of records.events) {
    dirtyMarks.markVehicle(event.operator, event.deviceId, event.time)
    for (const tripId of event.tripIds) dirtyMarks.markTrip(event.operator, tripId)
  }
  for (const { operator, tripId } of records.trips) dirtyMarks.markTrip(operator, tripId)
  for (const { operator, tripIds } of records.telemetry)
    if (tripIds[0]) dirtyMarks.markTrip(operator, tripIds[0])
  await dirtyMarks.write(facts, scope, regionId, runId)
  if (vehicles.length)
    await facts.insert(scope, 'vehicles', {
      columns: vehicleColumns,
      regionId,
      lines: formatVehicleLines(vehicles, origin),
    })
  const insert = (
    table: Parameters<Facts['insert']>[1],
    columns: readonly string[],
    length: number,
    lines: () => Buffer,
  ): Promise<void> | null =>
    length ? facts.insert(scope, table, { columns, regionId, lines: lines() }) : null
  const [repeatedCount] = await Promise.all([
    storeEvents(facts, scope, { origin, events: records.events, dirtyMarks, searches }),
    insert('trip_reports', tripReportColumns, records.trips.length, () =>
      formatTripReportLines(records.trips, origin),
    ),
    insert('telemetry', telemetryColumns, records.telemetry.length, () =>
      formatTelemetryLines(records.telemetry, origin),
    ),
    insert('stops', stopColumns, records.stops.length, () => formatStopLines(records.stops, origin)),
  ])
  if (repeatedCount > 0) await storeFirstReceipts(facts, scope, origin, records.events)
  if (retyped.length)
    await markTripsOfVehicles(facts, scope, { regionId, vehicles: retyped, marks: dirtyMarks })
  await dirtyMarks.write(facts, scope, regionId, runId)
  const setAside = records.findings.filter(({ kind }) => kind === 'schema').length
  const result: BatchResult = {
    accepted:
      records.vehicles.length +
      records.events.length +
      records.trips.length +
      records.telemetry.length +
      records.stops.length,
    setAside,
    repeated: repeatedCount,
  }
  return { ...result, runId: dirtyMarks.isEmpty ? null : runId }
}

/** The number of vehicles per query. */
const vehiclesPerQuery = 2000

/** Marks all trips of vehicles with a new type. */
async function markTripsOfVehicles(
  facts: Facts,
  scope: Scope,
  { regionId, vehicles, marks }: { regionId: string; vehicles: readonly Vehicle[]; marks: DirtyMarks },
): Promise<void> {
  for (let start = 0; start < vehicles.length; start += vehiclesPerQuery) {
    const ids = bind(
      'Array(UUID)',
      vehicles.slice(start, start + vehiclesPerQuery).map(({ deviceId }) => deviceId),
    )
    const condition = sql`region_id = ${bind('String', regionId)} and device_id in ${ids}`
    const trips = await facts.rows<{ operator: string; trip: string }>(
      scope,
      sql`
        select distinct operator, toString(trip_id) as trip
        from ${factTable('trip_events')}
        where ${condition} union distinct
        select distinct operator, toString(trip_id) as trip
        from ${factTable('trip_reports')}
        where ${condition}`,
      { limits: { seconds: 300 } },
    )
    for (const { operator, trip } of trips) marks.markTrip(operator, trip)
  }
}
