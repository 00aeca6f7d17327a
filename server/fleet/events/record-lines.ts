import { escapeField, encodeLines, formatNumberField, formatTimeField } from '#server/stores/row-text.ts'
import type { BatchOrigin } from './event-lines.ts'
import { computeRank } from './rank.ts'
import type { Stop, TelemetryPoint, TripReport, Vehicle } from './feed-records.ts'

// Columns and lines (tab-separated text) of all records of feeds except events, one pair per table.

/** Stored as the trip id of telemetry outside of trips. */
const nilUuid = '00000000-0000-0000-0000-000000000000'

export const vehicleColumns = [
  'region_id',
  'operator',
  'device_id',
  'vehicle_id',
  'vehicle_type',
  'mode',
  'propulsion_types',
  'attributes',
  'version',
] as const
/** Formats vehicles as lines. The version is the time of receipt, so the last registration counts. */
export const formatVehicleLines = (
  vehicles: readonly Vehicle[],
  { regionId, received }: BatchOrigin,
): Buffer =>
  encodeLines(
    vehicles,
    (vehicle) =>
      `${regionId}\t${vehicle.operator}\t${vehicle.deviceId}\t` +
      `${escapeField(vehicle.vehicleId)}\t${vehicle.vehicleType}\t` +
      `${escapeField(vehicle.mode)}\t${formatPropulsionTypes(vehicle.propulsionTypes)}\t` +
      `${escapeField(vehicle.attributes)}\t${Math.trunc(received)}\n`,
  )

/** Formats an array literal of SQL. Omits values other than words, which would need escapes. */
const formatPropulsionTypes = (types: readonly string[]): string =>
  `[${types
    .filter((type) => /^\w+$/.test(type))
    .map((type) => `'${type}'`)
    .join(',')}]`

export const tripReportColumns = [
  'region_id',
  'operator',
  'trip_id',
  'device_id',
  'start_time',
  'end_time',
  'start_lon',
  'start_lat',
  'end_lon',
  'end_lat',
  'distance_m',
  'duration_s',
  'attributes',
  'feed_id',
  'batch_id',
  'received_time',
  'version',
] as const
/** Computes the rank of a report's version: the one with the highest rank counts. */
export const computeTripReportRank = (trip: TripReport): bigint =>
  computeRank(
    trip.published,
    `${trip.deviceId} ${trip.startTime} ${trip.endTime} ${trip.startLon} ${trip.startLat} ${trip.endLon} ${trip.endLat} ${trip.distance} ${trip.duration} ${trip.attributes}`,
  )
export const formatTripReportLines = (
  trips: readonly TripReport[],
  { regionId, feedId, batchId, received }: BatchOrigin,
): Buffer =>
  encodeLines(
    trips,
    (trip) =>
      `${regionId}\t${trip.operator}\t${trip.tripId}\t${trip.deviceId}\t` +
      `${formatTimeField(trip.startTime)}\t${formatTimeField(trip.endTime)}\t${formatNumberField(trip.startLon)}\t` +
      `${formatNumberField(trip.startLat)}\t${formatNumberField(trip.endLon)}\t${formatNumberField(trip.endLat)}\t` +
      `${formatNumberField(trip.distance)}\t${formatNumberField(trip.duration)}\t${escapeField(trip.attributes)}\t` +
      `${feedId}\t${batchId}\t${formatTimeField(received)}\t${computeTripReportRank(trip)}\n`,
  )

export const telemetryColumns = [
  'region_id',
  'operator',
  'device_id',
  'time',
  'telemetry_id',
  'trip_id',
  'lon',
  'lat',
  'speed',
  'heading',
  'accuracy',
  'battery',
  'feed_id',
  'batch_id',
  'received_time',
  'version',
] as const
export const formatTelemetryLines = (
  points: readonly TelemetryPoint[],
  { regionId, feedId, batchId, received }: BatchOrigin,
): Buffer =>
  encodeLines(
    points,
    (point) =>
      `${regionId}\t${point.operator}\t${point.deviceId}\t${formatTimeField(point.time)}\t` +
      `${point.telemetryId}\t${point.tripIds[0] ?? nilUuid}\t${formatNumberField(point.lon)}\t` +
      `${formatNumberField(point.lat)}\t${formatNumberField(point.speed)}\t${formatNumberField(point.heading)}\t` +
      `${formatNumberField(point.accuracy)}\t${formatNumberField(point.battery)}\t${feedId}\t${batchId}\t` +
      `${formatTimeField(received)}\t` +
      `${computeRank(0, `${point.lon} ${point.lat} ${point.speed} ${point.tripIds}`)}\n`,
  )

export const stopColumns = [
  'region_id',
  'operator',
  'stop_id',
  'name',
  'lon',
  'lat',
  'attributes',
  'version',
] as const
export const formatStopLines = (stops: readonly Stop[], { regionId }: BatchOrigin): Buffer =>
  encodeLines(
    stops,
    (stop) =>
      `${regionId}\t${stop.operator}\t${escapeField(stop.stopId)}\t${escapeField(stop.name)}\t` +
      `${formatNumberField(stop.lon)}\t${formatNumberField(stop.lat)}\t${escapeField(stop.attributes)}\t` +
      `${computeRank(stop.lastUpdated, stop.attributes)}\n`,
  )
