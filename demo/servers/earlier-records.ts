import type { LiveEvent, LiveVehicle, LivePoint } from '../live/live-event.ts'
import type { EndedTrip, LiveStatus } from '../live/fleet-simulation.ts'
import { makeTripId } from '../trips/demo-trip.ts'
import type { FeedFaults } from './feed-faults.ts'
import { computeTripCost, formatVehicleNumber } from './mds-records.ts'

type Fields = Record<string, unknown>

/** Returns the fields that describe the vehicle in every record of MDS 1.2. */
export const toEarlierName = (vehicle: LiveVehicle): Fields => ({
  provider_name: vehicle.operator.name,
  provider_id: vehicle.operator.providerId,
  device_id: vehicle.id,
  vehicle_id: formatVehicleNumber(vehicle),
  vehicle_type: 'bicycle',
  propulsion_types: [vehicle.vehicleType === 'pedal_bicycle' ? 'human' : 'electric_assist'],
})

const pointFeature = (time: number, lon: number, lat: number, more: Fields = {}): Fields => ({
  type: 'Feature',
  properties: { timestamp: time, accuracy: 5, ...more },
  geometry: { type: 'Point', coordinates: [lon, lat] },
})
const getBatteryFields = (battery: number): Fields =>
  Number.isNaN(battery) ? {} : { battery_pct: Math.round(battery) / 100 }
const toEarlierState = (state: string): string => (state === 'non_contactable' ? 'unknown' : state)

/** Converts an event to a status change of MDS 1.2, with the operator's faults. */
export function toStatusChange(event: LiveEvent, faults: FeedFaults): Fields {
  const { vehicle, kind, number, state, types, trip, lon, lat, battery } = event
  const time = event.time + faults.aheadMs(kind, number)
  return {
    ...toEarlierName(vehicle),
    vehicle_state: faults.isInvalid(kind, number) ? 'parked' : toEarlierState(state),
    event_types: types,
    event_time: time,
    publication_time: event.time,
    event_location: pointFeature(time, lon, lat),
    ...getBatteryFields(battery),
    ...(trip === null ? {} : { trip_id: makeTripId(trip) }),
  }
}

/** Converts the state of a vehicle to a record of MDS 1.2. Ignores an event that the feed misses. */
export function toEarlierVehicle(
  { vehicle, event: last, earlier, trip, point }: LiveStatus,
  faults: FeedFaults,
): Fields {
  const event = earlier && faults.isMissing(last.kind, last.number) ? earlier : last
  const time = event.time + faults.aheadMs(event.kind, event.number)
  return {
    ...toEarlierName(vehicle),
    last_event_time: time,
    last_vehicle_state: toEarlierState(event.state),
    last_event_types: event.types,
    last_event_location: pointFeature(time, event.lon, event.lat),
    current_location: pointFeature(point.time, point.lon, point.lat, {
      speed: point.speed,
      heading: point.heading,
    }),
    ...getBatteryFields(point.battery),
    ...(trip ? { trip_id: makeTripId(trip.tripNumber) } : {}),
  }
}

/** Converts a trip and its points to a record of MDS 1.2, with the operator's faults. */
export const toEarlierTrip = (
  { vehicle, trip }: EndedTrip,
  route: readonly LivePoint[],
  faults: FeedFaults,
): Fields => ({
  ...toEarlierName(vehicle),
  trip_id: makeTripId(trip.tripNumber),
  trip_duration: Math.round(trip.durationS),
  trip_distance: faults.isInvalid(0, trip.tripNumber) ? null : Math.round(trip.distanceM),
  accuracy: 5,
  start_time: trip.startMs,
  end_time: trip.endMs,
  publication_time: trip.endMs,
  ...computeTripCost(trip.durationS),
  route: {
    type: 'FeatureCollection',
    features: route.map(({ time, lon, lat, speed, heading }) =>
      pointFeature(time, lon, lat, { speed, heading }),
    ),
  },
})
