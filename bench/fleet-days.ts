import { dayMs, hourMs } from '#contract/period.ts'
import { noRecords, type FeedRecords, type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { createRandom } from '../demo/hash-numbers.ts'

/** Formats a number in hexadecimal. */
const toHex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** Returns a flat copy of a string, so that V8 does not flatten it during the measured ingest. */
const flattenString = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

/** Vehicles of a large (L) city, see docs/performance.md. They produce about 170,000 events a day. */
export const cityVehicles = 15_000

export const makeDeviceId = (vehicle: number): string => `${toHex(vehicle, 8)}-0000-4000-8000-00000000d0d0`

/**
 * Makes the events of a fleet on one day in order of time. Each vehicle has about four trips, some with a
 * reservation, and is out of service at night. Events of one vehicle never have the same time.
 */
export function makeFleetDay(
  seed: number,
  { day, startMs }: { day: number; startMs: number },
  center: { lon: number; lat: number },
): FeedRecords {
  const random = createRandom(seed * 7919 + day)
  const events: VehicleEvent[] = []
  for (let vehicle = 0; vehicle < cityVehicles; vehicle++) {
    const operator = flattenString(`op${vehicle % 4}`)
    const deviceId = flattenString(makeDeviceId(vehicle))
    let [lon, lat] = [center.lon + (random() - 0.5) * 0.2, center.lat + (random() - 0.5) * 0.2]
    let eventCount = 0
    const add = (
      time: number,
      state: VehicleEvent['state'],
      type: VehicleEvent['types'][number],
      tripId?: string,
    ): void => {
      events.push({
        operator,
        deviceId,
        eventId: flattenString(
          `${toHex(vehicle, 8)}-${toHex(day & 0xffff, 4)}-4${toHex(eventCount++, 3)}-8000-${toHex(startMs / 1000, 12)}`,
        ),
        time: Math.floor(time),
        state,
        types: [type],
        tripIds: tripId ? [tripId] : [],
        lon: Math.round(lon * 1e6) / 1e6,
        lat: Math.round(lat * 1e6) / 1e6,
        accuracy: NaN,
        battery: Math.round(random() * 100),
        published: 0,
      })
    }
    add(startMs + (5 + random()) * hourMs, 'available', 'on_hours')
    const trips = 3 + Math.floor(random() * 3)
    for (let trip = 0; trip < trips; trip++) {
      const tripStart = startMs + (6.5 + (trip + random() * 0.6) * (15 / trips)) * hourMs
      const tripId = flattenString(
        `${toHex(vehicle, 8)}-${toHex(day & 0xffff, 4)}-4${toHex(trip, 3)}-9000-${toHex(startMs / 1000, 12)}`,
      )
      if (random() < 0.35) add(tripStart - 240_000, 'reserved', 'reservation_start')
      add(tripStart, 'on_trip', 'trip_start', tripId)
      lon += (random() - 0.5) * 0.03
      lat += (random() - 0.5) * 0.03
      add(tripStart + (200 + random() * 1500) * 1000, 'available', 'trip_end', tripId)
    }
    if (random() < 0.6) add(startMs + (22 + random()) * hourMs, 'non_operational', 'off_hours')
  }
  return {
    ...noRecords(),
    events: events.toSorted((a, b) => a.time - b.time).filter(({ time }) => time < startMs + dayMs),
  }
}
