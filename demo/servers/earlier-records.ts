import type { LiveEvent, LiveVehicle, LivePoint } from '../live/live-event.ts'
import type { EndedTrip, LiveStatus } from '../live/live-model.ts'
import { tripIdOf } from '../trips/made-id.ts'
import type { FeedFaults } from './feed-faults.ts'
import { tripCost, vehicleNumber } from './mds-records.ts'

type Fields = Record<string, unknown>

/** Vehicle fields of an MDS 1.2 record: every record describes its vehicle. */
export const earlierName = (vehicle: LiveVehicle): Fields => ({
  provider_name: vehicle.operator.name,
  provider_id: vehicle.operator.providerId,
  device_id: vehicle.id,
  vehicle_id: vehicleNumber(vehicle),
  vehicle_type: 'bicycle',
  propulsion_types: [vehicle.vehicleType === 'pedal_bicycle' ? 'human' : 'electric_assist'],
})

const feature = (time: number, lon: number, lat: number, more: Fields = {}): Fields => ({
  type: 'Feature',
  properties: { timestamp: time, accuracy: 5, ...more },
  geometry: { type: 'Point', coordinates: [lon, lat] },
})
const charge = (battery: number): Fields =>
  Number.isNaN(battery) ? {} : { battery_pct: Math.round(battery) / 100 }
const stateOf = (state: string): string => (state === 'non_contactable' ? 'unknown' : state)

/** A status change, with the operator's faults. */
export function statusChange(event: LiveEvent, faults: FeedFaults): Fields {
  const { vehicle, kind, number, state, types, trip, lon, lat, battery } = event
  const time = event.time + faults.aheadMs(kind, number)
  return {
    ...earlierName(vehicle),
    vehicle_state: faults.isInvalid(kind, number) ? 'parked' : stateOf(state),
    event_types: types,
    event_time: time,
    publication_time: event.time,
    event_location: feature(time, lon, lat),
    ...charge(battery),
    ...(trip === null ? {} : { trip_id: tripIdOf(trip) }),
  }
}

/** The current state of a vehicle. An event that the feed misses is ignored here as well. */
export function earlierVehicle(
  { vehicle, event: last, earlier, trip, point }: LiveStatus,
  faults: FeedFaults,
): Fields {
  const event = earlier && faults.isMissing(last.kind, last.number) ? earlier : last
  const time = event.time + faults.aheadMs(event.kind, event.number)
  return {
    ...earlierName(vehicle),
    last_event_time: time,
    last_vehicle_state: stateOf(event.state),
    last_event_types: event.types,
    last_event_location: feature(time, event.lon, event.lat),
    current_location: feature(point.time, point.lon, point.lat, {
      speed: point.speed,
      heading: point.heading,
    }),
    ...charge(point.battery),
    ...(trip ? { trip_id: tripIdOf(trip.tripNumber) } : {}),
  }
}

export const earlierTrip = (
  { vehicle, trip }: EndedTrip,
  route: readonly LivePoint[],
  faults: FeedFaults,
): Fields => ({
  ...earlierName(vehicle),
  trip_id: tripIdOf(trip.tripNumber),
  trip_duration: Math.round(trip.durationS),
  trip_distance: faults.isInvalid(0, trip.tripNumber) ? null : Math.round(trip.distanceM),
  accuracy: 5,
  start_time: trip.startMs,
  end_time: trip.endMs,
  publication_time: trip.endMs,
  ...tripCost(trip.durationS),
  route: {
    type: 'FeatureCollection',
    features: route.map(({ time, lon, lat, speed, heading }) => feature(time, lon, lat, { speed, heading })),
  },
})
