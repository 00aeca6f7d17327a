import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { dayNumber } from '../day-number.ts'
import { makeSmallCity } from '../small-city.ts'
import type { DayDemand } from './day-demand.ts'
import type { DemoTrip } from './demo-trip.ts'
import { createLocalDays } from './local-days.ts'
import { makeFleet } from './make-fleet.ts'
import { placeOnEdge } from './place-on-edge.ts'
import { rideNetwork } from './ride-network.ts'
import { Rider } from './rider.ts'
import type { Vehicle } from './vehicle.ts'

const { streets } = makeSmallCity()
const network = rideNetwork(streets)
const day = dayNumber('2026-06-10')
const local = createLocalDays('America/New_York')(day)
const weekday: DayDemand = { factor: 1, isWeekend: false, month: 6 }
const weekend: DayDemand = { ...weekday, isWeekend: true }

const makeSmallFleet = (): Vehicle[] => makeFleet(1).slice(0, 400)

/** Returns the trips of the fleet on a day, each vehicle deployed the night before. */
function makeTripsOfDay({
  factor = 1,
  demand = weekday,
  allowsLongTrip = false,
  seed = 1,
  fleet = makeSmallFleet(),
} = {}): DemoTrip[] {
  const trips: DemoTrip[] = []
  const rider = new Rider(network, seed)
  for (const vehicle of fleet) {
    rider.deploy(vehicle, day)
    rider.ride(
      vehicle,
      { day, local, demand, factor },
      { allowsLongTrip, emit: (trip) => trips.push({ ...trip }) },
    )
  }
  return trips
}

describe('deploy', () => {
  it('deploys a vehicle on a street of its operator, away from corners, at a deterministic place', () => {
    const rider = new Rider(network, 1)
    const fleet = makeSmallFleet()
    for (const vehicle of fleet) {
      rider.deploy(vehicle, day)
      const { district, length } = streets.edges[vehicle.edge]!
      expect(vehicle.operator.districts).toContain(district)
      expect(vehicle.offset).toBeGreaterThanOrEqual(14)
      expect(vehicle.offset).toBeLessThanOrEqual(length - 14)
    }
    const before = fleet.map(({ edge, offset }) => [edge, offset])
    for (const vehicle of fleet) rider.deploy(vehicle, day)
    expect(fleet.map(({ edge, offset }) => [edge, offset])).toEqual(before)
    for (const vehicle of fleet) rider.deploy(vehicle, day + 1)
    expect(fleet.map(({ edge, offset }) => [edge, offset])).not.toEqual(before)
  })
})

describe('ride', () => {
  it('makes trips in proportion to the factor', () => {
    expect(makeTripsOfDay({ factor: 0 })).toEqual([])
    const [half, one] = [makeTripsOfDay({ factor: 0.5 }).length, makeTripsOfDay({ factor: 1 }).length]
    expect(one / 400).toBeGreaterThan(1.5)
    expect(one / half).toBeGreaterThan(1.5)
    expect(one / half).toBeLessThan(2.4)
  })

  it('makes trips independent of other vehicles that differ between seeds', () => {
    const vehicle = makeSmallFleet()[8]!
    const alone = makeTripsOfDay({ fleet: [vehicle] })
    expect(alone.length).toBeGreaterThan(1)
    expect(makeTripsOfDay().filter(({ vehicleId }) => vehicleId === vehicle.id)).toEqual(alone)
    expect(makeTripsOfDay({ seed: 2 })).not.toEqual(makeTripsOfDay())
  })

  it('starts every trip on its day, in order, at least two minutes after the last one', () => {
    const ends = new Map<string, number>()
    for (const { startMs, endMs, vehicleId, localDate } of makeTripsOfDay({ factor: 3 })) {
      expect(startMs).toBeGreaterThanOrEqual(local.startMs)
      expect(startMs).toBeLessThan(local.endMs)
      expect(startMs - (ends.get(vehicleId) ?? 0)).toBeGreaterThanOrEqual(119_000)
      expect(localDate).toBe(day)
      ends.set(vehicleId, endMs)
    }
  })

  it('a ride has the local hour of its start', () => {
    for (const { startMs, localHour } of makeTripsOfDay())
      expect(localHour).toBe(Math.floor((startMs - local.startMs) / hourMs))
  })

  it('peaks at 8 on weekdays and in the afternoon on weekends', () => {
    const shareBetween = (trips: DemoTrip[], from: number, until: number): number =>
      trips.filter(({ localHour }) => localHour >= from && localHour < until).length / trips.length
    const [weekdayTrips, weekendTrips] = [
      makeTripsOfDay({ factor: 2 }),
      makeTripsOfDay({ factor: 2, demand: weekend }),
    ]
    expect(shareBetween(weekdayTrips, 7, 10)).toBeGreaterThan(shareBetween(weekendTrips, 7, 10) * 1.5)
    expect(shareBetween(weekendTrips, 11, 16)).toBeGreaterThan(shareBetween(weekdayTrips, 11, 16) * 1.2)
  })

  it('starts and ends at the positions of the vehicle', () => {
    const rider = new Rider(network, 1)
    const [vehicle] = makeSmallFleet()
    rider.deploy(vehicle!, day)
    const place = new Float64Array(2)
    placeOnEdge(streets.edges[vehicle!.edge]!, vehicle!.offset, place)
    const [x, y] = [place[0]!, place[1]!]
    const trips: DemoTrip[] = []
    rider.ride(
      vehicle!,
      { day, local, demand: weekday, factor: 2 },
      { allowsLongTrip: false, emit: (trip) => trips.push({ ...trip }) },
    )
    placeOnEdge(streets.edges[vehicle!.edge]!, vehicle!.offset, place)
    const getMetersOffStreet = (lon: number, lat: number, [px, py]: readonly [number, number]): number =>
      Math.hypot(
        (lon - streets.lon0) * 111_195 * Math.cos((streets.lat0 * Math.PI) / 180) - px,
        (lat - streets.lat0) * 111_195 - py,
      )
    expect(getMetersOffStreet(trips[0]!.startLon, trips[0]!.startLat, [x, y])).toBeLessThan(11)
    expect(
      getMetersOffStreet(trips.at(-1)!.endLon, trips.at(-1)!.endLat, [place[0]!, place[1]!]),
    ).toBeLessThan(11)
    expect(vehicle!.busyUntil).toBe(trips.at(-1)!.endMs)
  })

  it('makes trips of over a day only if allowed', () => {
    const over = ({ durationS }: DemoTrip): boolean => durationS > 86_400
    const many = Array.from(
      { length: 12 },
      (_, seed) =>
        [
          makeTripsOfDay({ factor: 3, seed }),
          makeTripsOfDay({ factor: 3, allowsLongTrip: true, seed }),
        ] as const,
    )
    expect(many.flatMap(([not]) => not).some(over)).toBe(false)
    expect(many.flatMap(([, may]) => may).some(over)).toBe(true)
  })

  it('moves the vehicle the same without emitting trips', () => {
    const rider = new Rider(network, 1)
    const [emitted, silent] = [makeFleet(1)[3]!, makeFleet(1)[3]!]
    for (const [vehicle, emit] of [
      [emitted, () => undefined],
      [silent, undefined],
    ] as const) {
      rider.deploy(vehicle, day)
      rider.ride(vehicle, { day, local, demand: weekday, factor: 1 }, { allowsLongTrip: false, emit })
    }
    expect(silent).toEqual(emitted)
  })

  it('numbers trips uniquely', () => {
    const numbers = makeTripsOfDay({ factor: 3 }).map(({ tripNumber }) => tripNumber)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(day * 8192 * 128)
    expect(Math.max(...numbers)).toBeLessThan((day + 1) * 8192 * 128)
  })
})
