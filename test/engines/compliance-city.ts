// Stores the facts of a plain city like derivations, including withdrawn rows and replaced events.
import { randomUUID } from 'node:crypto'
import { dayFromNumber, hourMs } from '#contract/period.ts'
import { eventLineColumns, formatEventLines } from '#server/fleet/events/event-lines.ts'
import { intervalColumns } from '#server/fleet/events/queries/intervals.ts'
import { parkingColumns } from '#server/fleet/events/queries/parking-events.ts'
import { tripColumns } from '#server/fleet/trip-columns.ts'
import {
  telemetryColumns,
  formatTelemetryLines,
  vehicleColumns,
  formatVehicleLines,
} from '#server/fleet/events/record-lines.ts'
import type { VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { routeColumns } from '#server/routes/route-line.ts'
import type { Facts } from '#server/stores/facts.ts'
import { formatNumberField, formatTimeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { ScopedTable } from '#server/stores/sql.ts'
import type { PlainCity, PlainEvent, PlainTrip } from '../compliance/plain-city.ts'
import { plainClock } from '../compliance/plain-clock.ts'
import { makeId, never } from '../compliance/random-days.ts'

const noId = '00000000-0000-0000-0000-000000000000'
const toMillionths = (degrees: number): number => Math.round(degrees * 1e6)
const formatTime = (ms: number): string => (ms === never ? '2299-12-31 00:00:00' : formatTimeField(ms))

type FormatLine = (id: string, isDeleted: 0 | 1, version: number) => string

/** Formats all rows, and for every third one another row that one derivation stored and the next one withdrew. */
function addWithdrawnRows(rows: readonly FormatLine[], getId: (index: number) => string): string[] {
  return rows.flatMap((formatLine, index) => {
    const withdrawnId = getId(index + 700_000)
    return [
      formatLine(getId(index), 0, 2),
      ...(index % 3 === 0 ? [formatLine(withdrawnId, 0, 1), formatLine(withdrawnId, 1, 2)] : []),
    ]
  })
}

const toEvent = ({ operator, device, id, time, state, types, lon, lat }: PlainEvent): VehicleEvent => ({
  operator,
  deviceId: device,
  eventId: id,
  time,
  state,
  types,
  tripIds: [],
  lon,
  lat,
  accuracy: NaN,
  battery: NaN,
  published: 0,
})

function makeTripLines(
  regionId: string,
  { trips, region: { timezone } }: PlainCity,
): { trips: string[]; routes: string[] } {
  const clock = plainClock(timezone)
  const formatLocal = ({ start }: PlainTrip): string => {
    const { day, seconds } = clock.shows(start)
    return `${dayFromNumber(day)}\t${Math.floor(seconds / 3600)}`
  }
  return {
    trips: addWithdrawnRows(
      trips.map(
        (trip) => (id, isDeleted, version) =>
          [
            regionId,
            id,
            trip.operator,
            trip.type,
            trip.device,
            formatTimeField(trip.start),
            trip.end === null ? '\\N' : formatTimeField(trip.end),
            formatLocal(trip),
            formatNumberField(trip.startLon),
            formatNumberField(trip.startLat),
            formatNumberField(trip.endLon),
            formatNumberField(trip.endLat),
            'nan',
            'nan',
            0,
            noId,
            0,
            0,
            trip.source,
            isDeleted,
            version,
          ].join('\t'),
      ),
      (n) => trips[n]?.tripId ?? makeId(3, n),
    ),
    routes: trips.flatMap((trip) => {
      const { route } = trip
      if (!route) return []
      return [
        [
          regionId,
          trip.operator,
          trip.tripId,
          trip.device,
          trip.type,
          formatTimeField(trip.start),
          formatLocal(trip),
          `[${route.map(({ lon }) => toMillionths(lon)).join(',')}]`,
          `[${route.map(({ lat }) => toMillionths(lat)).join(',')}]`,
          `[${route.map(({ time }) => (time - trip.start) / 1000).join(',')}]`,
          0,
          route.length,
          '[]',
          '[]',
          0,
          2,
        ].join('\t'),
      ]
    }),
  }
}

/** Stores the facts of a city as derivations do. */
export async function storePlainCity(
  facts: Facts,
  scope: Scope,
  regionId: string,
  city: PlainCity,
): Promise<void> {
  const store = async (
    table: ScopedTable,
    columns: readonly string[],
    lines: readonly string[],
  ): Promise<void> => {
    if (lines.length)
      await facts.insert(scope, table, {
        columns,
        regionId,
        lines: Buffer.from(lines.map((line) => `${line}\n`).join('')),
        areDistinct: false,
      })
  }
  const received = { regionId, feedId: randomUUID(), batchId: randomUUID(), received: city.now }
  const { trips, routes } = makeTripLines(regionId, city)
  // Earlier versions of events that were sent again with another time. They are superseded.
  const supersededEvents = city.events
    .filter((_, index) => index % 4 === 0)
    .map((event): PlainEvent => ({ ...event, time: event.time - hourMs - 7, types: ['provider_drop_off'] }))
  const supersededLines = formatEventLines(supersededEvents.map(toEvent), received)
    .toString()
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const fields = line.split('\t')
      fields[eventLineColumns.indexOf('superseded')] = '1'
      return fields.join('\t')
    })
  await facts.insert(scope, 'vehicles', {
    columns: vehicleColumns,
    regionId,
    lines: formatVehicleLines(
      city.vehicles.map(({ operator, device, type, propulsion, accessibility }) => ({
        operator,
        deviceId: device,
        vehicleId: device.slice(0, 6),
        vehicleType: type,
        mode: 'micromobility',
        propulsionTypes: propulsion,
        attributes: accessibility ? JSON.stringify({ accessibility_attributes: accessibility }) : '{}',
      })),
      received,
    ),
  })
  await facts.insert(scope, 'vehicle_events', {
    columns: eventLineColumns,
    regionId,
    lines: formatEventLines(city.events.map(toEvent), received),
  })
  await store('vehicle_events', eventLineColumns, supersededLines)
  await store(
    'vehicle_intervals',
    intervalColumns,
    addWithdrawnRows(
      city.intervals.map(
        (interval) => (id, isDeleted, version) =>
          [
            regionId,
            interval.operator,
            interval.device,
            formatTimeField(interval.from),
            id,
            formatTime(interval.to),
            interval.state,
            `[${(interval.types ?? []).map((type) => `'${type}'`).join(',')}]`,
            interval.type,
            noId,
            formatNumberField(interval.lon),
            formatNumberField(interval.lat),
            formatNumberField(interval.accuracy ?? NaN),
            'nan',
            isDeleted,
            version,
          ].join('\t'),
      ),
      (n) => makeId(2, n + 100_000),
    ),
  )
  await store(
    'parking_events',
    parkingColumns,
    addWithdrawnRows(
      city.parkingEvents.map(
        (parking) => (id, isDeleted, version) =>
          [
            regionId,
            parking.operator,
            parking.device,
            formatTimeField(parking.from),
            id,
            formatTimeField(parking.to),
            parking.to > city.now ? 0 : 1,
            parking.type,
            formatNumberField(parking.lon),
            formatNumberField(parking.lat),
            formatNumberField(parking.accuracy),
            isDeleted,
            version,
          ].join('\t'),
      ),
      (n) => makeId(2, n + 200_000),
    ),
  )
  await store('trips', tripColumns, trips)
  await store('trip_routes', routeColumns, routes)
  await facts.insert(scope, 'telemetry', {
    columns: telemetryColumns,
    regionId,
    lines: formatTelemetryLines(
      city.points.map(({ operator, device, id, tripId, time, lon, lat, speed, accuracy }) => ({
        operator,
        deviceId: device,
        telemetryId: id,
        time,
        tripIds: tripId === null ? [] : [tripId],
        lon,
        lat,
        speed,
        heading: NaN,
        accuracy,
        battery: NaN,
      })),
      received,
    ),
  })
}
