import { expect, test } from 'vitest'
import { dayFromNumber } from '#contract/period.ts'
import { dayNumber } from '../day-number.ts'
import { generateTrips } from '../trips/make-trips.ts'
import { makeSmallCity } from '../small-city.ts'
import { splitTripNumber } from '../trips/demo-trip.ts'
import { makeFleet } from '../trips/make-fleet.ts'
import type { LiveTrip } from './live-trip.ts'
import { TripDay } from './trip-day.ts'

const day = dayNumber('2026-06-10')
const vehicles = makeFleet(5).length
const given: LiveTrip[] = []
const collected = TripDay.collect(day, vehicles)
generateTrips(makeSmallCity(), {
  seed: 5,
  from: dayFromNumber(day),
  until: dayFromNumber(day + 1),
  emit: (trip) => {
    collected.add(trip)
    const { operator: _operator, vehicleType: _type, vehicleId: _id, localHour: _hour, ...rest } = trip
    given.push(rest)
  },
})
const trips = collected.end()
const getVehicle = ({ tripNumber }: LiveTrip): number => splitTripNumber(tripNumber).vehicle
const all = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
const listTrips = (vehicle: number, from: number, until: number): LiveTrip[] => {
  const found: LiveTrip[] = []
  trips.addTrips(found, vehicle, from, until)
  return found
}

test('TripDay returns the trips exactly as they were generated, with their positions', () => {
  expect(given.length).toBeGreaterThan(2000)
  expect(Array.from({ length: vehicles }, (_, vehicle) => listTrips(vehicle, ...all)).flat()).toEqual(given)
})

test('TripDay finds the trips of a vehicle around a time', () => {
  for (const trip of given.filter((_, index) => index % 50 === 0)) {
    const vehicle = getVehicle(trip)
    const vehicleTrips = given.filter((trip) => getVehicle(trip) === vehicle)
    for (const time of [trip.startMs - 1, trip.startMs, trip.endMs, trip.endMs + 1]) {
      const span = [time, time + 60_000] as const
      expect(listTrips(vehicle, ...span)).toEqual(
        vehicleTrips.filter(({ startMs, endMs }) => startMs < span[1] && endMs >= span[0]),
      )
      expect(trips.findLastUntil(vehicle, time)).toEqual(
        vehicleTrips.findLast(({ startMs }) => startMs <= time) ?? null,
      )
      expect(trips.findFirstAfter(vehicle, time)).toEqual(
        vehicleTrips.find(({ startMs }) => startMs > time) ?? null,
      )
    }
  }
})
