import { eventKinds } from './event-kinds.ts'
import type { LiveEvent, LiveVehicle } from './live-event.ts'
import type { LiveTrip } from './live-trip.ts'
import { batteryOf } from './rest-times.ts'
import { shareOf } from './share-of.ts'

/** Share of trips during which contact is lost for a while. */
const lost = 0.004

/** The events of a trip: its start, its end, and now and then a loss of contact in between. `at`: where it is at a moment (ms). */
export function tripEvents(
  seed: number,
  vehicle: LiveVehicle,
  trip: LiveTrip,
  at: (ms: number) => readonly [number, number],
): LiveEvent[] {
  const { tripNumber: number, startMs, endMs } = trip
  const event = (
    kind: number,
    time: number,
    state: LiveEvent['state'],
    type: LiveEvent['types'][number],
    [lon, lat]: readonly [number, number],
    isEnd = false,
  ): LiveEvent => ({
    vehicle,
    kind,
    number,
    time,
    state,
    types: [type],
    trip: number,
    lon,
    lat,
    battery: batteryOf(number, vehicle.vehicleType, isEnd),
  })
  const start = event(eventKinds.tripStart, startMs, 'on_trip', 'trip_start', [trip.startLon, trip.startLat])
  const end = event(eventKinds.tripEnd, endMs, 'available', 'trip_end', [trip.endLon, trip.endLat], true)
  if (endMs - startMs < 240_000 || shareOf(seed, number, 21) >= lost) return [start, end]
  const third = Math.floor((endMs - startMs) / 3000) * 1000
  return [
    start,
    event(eventKinds.lostOnTrip, startMs + third, 'non_contactable', 'comms_lost', at(startMs + third)),
    event(eventKinds.foundOnTrip, startMs + 2 * third, 'on_trip', 'comms_restored', at(startMs + 2 * third)),
    end,
  ]
}
