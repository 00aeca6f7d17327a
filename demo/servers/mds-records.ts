import type { LiveEvent, LiveVehicle, LivePoint } from '../live/live-event.ts'
import type { EndedTrip, LiveStatus } from '../live/fleet-simulation.ts'
import type { DemoVehicleType } from '../operators.ts'
import { makeDemoId, makeTripId } from '../trips/demo-trip.ts'

/** Formats the number printed on a vehicle, such as `ZE-0042`. */
export const formatVehicleNumber = ({ operator, index }: LiveVehicle): string =>
  `${operator.slug.slice(0, 2).toUpperCase()}-${String(index).padStart(4, '0')}`

/** Computes the price of a trip in cents: one dollar plus 29 cents per started minute. */
export function computeTripCost(seconds: number): {
  standard_cost: number
  actual_cost: number
  currency: string
} {
  const cost = 100 + 29 * Math.ceil(Math.max(1, seconds) / 60)
  return { standard_cost: cost, actual_cost: cost, currency: 'USD' }
}

type Fields = Record<string, unknown>

/** First 32 bits of telemetry IDs, plus the index of a point or the kind of a parked vehicle's event. */
const pointHead = 0xa000_0000
const parkedHead = 0xb000_0000

const vehicleModels: Record<DemoVehicleType, Fields> = {
  scooter_standing: {
    vehicle_type: 'scooter_standing',
    propulsion_types: ['electric'],
    vehicle_attributes: { year: 2025, make: 'Meridian Works', model: 'Gust 3' },
    battery_capacity: 15_300,
    maximum_speed: 25,
  },
  scooter_seated: {
    vehicle_type: 'scooter_seated',
    propulsion_types: ['electric'],
    vehicle_attributes: { year: 2024, make: 'Meridian Works', model: 'Lull' },
    battery_capacity: 20_100,
    maximum_speed: 32,
  },
  bicycle: {
    vehicle_type: 'bicycle',
    propulsion_types: ['electric_assist'],
    vehicle_attributes: { year: 2025, make: 'Northbank Cycles', model: 'Tide E' },
    battery_capacity: 14_000,
    maximum_speed: 29,
  },
  pedal_bicycle: {
    vehicle_type: 'bicycle',
    propulsion_types: ['human'],
    vehicle_attributes: { year: 2023, make: 'Northbank Cycles', model: 'Tide' },
  },
}

const getVehicleIds = ({ id, operator }: LiveVehicle): Fields => ({
  device_id: id,
  provider_id: operator.providerId,
})
const getBatteryFields = (battery: number): Fields =>
  Number.isNaN(battery) ? {} : { battery_percent: Math.round(battery) }
const gps = ({ lon, lat }: { lon: number; lat: number }): Fields => ({
  lat,
  lng: lon,
  horizontal_accuracy: 5,
})

// The following functions return records of MDS 2.0.

export const toMdsVehicle = (vehicle: LiveVehicle): Fields => ({
  ...getVehicleIds(vehicle),
  vehicle_id: formatVehicleNumber(vehicle),
  ...vehicleModels[vehicle.vehicleType],
})

export const toMdsEvent = ({
  vehicle,
  kind,
  number,
  time,
  state,
  types,
  trip,
  lon,
  lat,
  battery,
}: LiveEvent): Fields => ({
  ...getVehicleIds(vehicle),
  event_id: makeDemoId(kind, number),
  vehicle_state: state,
  event_types: types,
  timestamp: time,
  publication_time: time,
  location: gps({ lon, lat }),
  ...getBatteryFields(battery),
  ...(trip === null ? {} : { trip_ids: [makeTripId(trip)] }),
})

const makePoint = (
  vehicle: LiveVehicle,
  { time, lon, lat, speed, heading, battery }: LiveStatus['point'],
  id: string,
  trip: number | null,
): Fields => ({
  ...getVehicleIds(vehicle),
  telemetry_id: id,
  timestamp: time,
  trip_ids: trip === null ? null : [makeTripId(trip)],
  journey_id: null,
  location: { ...gps({ lon, lat }), speed, heading },
  location_type: 'street',
  ...getBatteryFields(battery),
})

export const toMdsPoint = (point: LivePoint): Fields =>
  makePoint(point.vehicle, point, makeDemoId(pointHead + point.index, point.trip), point.trip)

export const toMdsTrip = ({ vehicle, trip }: EndedTrip): Fields => ({
  ...getVehicleIds(vehicle),
  trip_id: makeTripId(trip.tripNumber),
  start_time: trip.startMs,
  end_time: trip.endMs,
  start_location: gps({ lon: trip.startLon, lat: trip.startLat }),
  end_location: gps({ lon: trip.endLon, lat: trip.endLat }),
  duration: Math.round(trip.durationS),
  distance: Math.round(trip.distanceM),
  publication_time: trip.endMs,
  ...computeTripCost(trip.durationS),
})

export const toMdsStatus = ({ vehicle, event, trip, point }: LiveStatus): Fields => ({
  ...getVehicleIds(vehicle),
  last_event: toMdsEvent(event),
  last_telemetry: trip
    ? makePoint(vehicle, point, makeDemoId(pointHead + point.index, trip.tripNumber), trip.tripNumber)
    : makePoint(vehicle, point, makeDemoId(parkedHead + event.kind, event.number), null),
})
