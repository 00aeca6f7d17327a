// A constant fleet in Alder during ten days around a clock change.
import { minuteMs } from '#contract/period.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Vehicle, VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { plainIntervals, plainParking, listTimelines } from './plain-fleet.ts'
import type { PlainFacts } from './plain-maps.ts'
import { createRandom } from './random.ts'
import { cityTrips } from './trips.ts'

export const fleetPeriod = { start_date: '2026-03-04', end_date: '2026-03-13' } as const
const begin = Date.UTC(2026, 2, 4, 3)
const end = Date.UTC(2026, 2, 14, 2)

const id = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-00000000f1ee`
const turns: readonly [VehicleState, EventType][] = [
  ['available', 'provider_drop_off'],
  ['available', 'trip_end'],
  ['available', 'agency_drop_off'],
  ['on_trip', 'trip_start'],
  ['on_trip', 'trip_start'],
  ['reserved', 'reservation_start'],
  ['non_operational', 'battery_low'],
  ['removed', 'maintenance_pick_up'],
  ['non_contactable', 'comms_lost'],
]
const places = cityTrips.slice(0, 800).flatMap(({ from }) => (from ? [from] : []))

/** Vehicles of three operators. Those of the last operator have no type. */
export const fleetVehicles: readonly Vehicle[] = Array.from({ length: 20 }, (_, n) => ({
  operator: n % 2 ? 'alder-bikes' : 'birch-scoot',
  deviceId: id(n),
  vehicleId: `F${n}`,
  vehicleType: n % 2 ? 'bicycle' : 'scooter_standing',
  mode: 'micromobility',
  propulsionTypes: [],
  attributes: '{}',
}))

function makeEvents(number: () => number, n: number): VehicleEvent[] {
  const events: VehicleEvent[] = []
  for (
    let time = begin + Math.floor(number() * 600) * minuteMs;
    time < end;
    time += Math.floor(1 + number() ** 3 * 60 * 60) * minuteMs + 1003
  ) {
    const [state, type] = turns[Math.floor(number() * turns.length)] as [VehicleState, EventType]
    const place = number() < 0.05 ? null : places[Math.floor(number() * places.length)]
    events.push({
      operator: fleetVehicles[n]?.operator ?? 'cargo-co',
      deviceId: id(n),
      eventId: id(n * 10_000 + events.length + 1),
      time,
      state,
      types: [type],
      tripIds: [],
      lon: place?.[0] ?? NaN,
      lat: place?.[1] ?? NaN,
      accuracy: NaN,
      battery: NaN,
      published: 0,
    })
  }
  return events
}

export const fleetEvents: readonly VehicleEvent[] = ((number) =>
  Array.from({ length: 24 }, (_, n) => makeEvents(number, n)).flat())(createRandom(77))

/** Reference for the facts that are derived from events. */
export function plainFleetFacts(
  events: readonly VehicleEvent[],
  lostAfterHours: number,
): Omit<PlainFacts, 'trips'> {
  const typeByDevice = new Map(
    fleetVehicles.map(({ deviceId, vehicleType }) => [deviceId, vehicleType as string]),
  )
  const eventById = new Map(events.map((event) => [event.eventId, event]))
  const toPlace = ({ operator, deviceId, lon, lat }: VehicleEvent) => ({
    operator,
    type: typeByDevice.get(deviceId) ?? 'other',
    lon,
    lat,
  })
  const find = (eventId: string): VehicleEvent => eventById.get(eventId) as VehicleEvent
  return {
    parkingEvents: listTimelines(events)
      .flatMap((line) => plainParking(line, lostAfterHours))
      .map(({ event, from, to }) => ({ ...toPlace(find(event)), vehicle: find(event).deviceId, from, to })),
    intervals: plainIntervals(events).map(({ event, from, to, state = 'removed' }) => ({
      ...toPlace(find(event)),
      from,
      to,
      state,
    })),
    dropOffs: events
      .filter(({ types }) => types.some((type) => type.endsWith('drop_off')))
      .map((event) => ({ ...toPlace(event), at: event.time })),
  }
}
