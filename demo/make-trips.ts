import type { City } from './city.ts'
import { dayNumber } from './day-number.ts'
import { hashNumbers } from './hash-numbers.ts'
import { operators, isInService } from './operators.ts'
import { dayDemand } from './trips/day-demand.ts'
import type { DemoTrip } from './trips/demo-trip.ts'
import { localDays } from './trips/local-days.ts'
import { makeFleet } from './trips/make-fleet.ts'
import { rideNetwork } from './trips/ride-network.ts'
import { createRider } from './trips/rider.ts'

export interface TripsWanted {
  seed: number
  /** Local dates YYYY-MM-DD; `until` is the first one no longer wanted. */
  from: string
  until: string
  /** Gets the same object every time, refilled. Day by day in order; within a day vehicle by vehicle. */
  emit: (trip: DemoTrip) => void
  /** Share of the days done, from 0 to 1. */
  onProgress?: (share: number) => void
}

/** Every vehicle is taken in for service once in so many days and put out at a place that depends on nothing before. */
const serviceDays = 7
/** Share of the vehicles that are moved in an ordinary night. */
const moved = 0.24
/** Share of the vehicle weeks spent in the workshop. */
const workshop = 0.07

/** The trips of all operators in the half-open range of days. Any way to cut a range into pieces gives the same trips. */
export function generateTrips(
  city: Pick<City, 'streets' | 'timezone'>,
  { seed, from, until, emit, onProgress }: TripsWanted,
): void {
  const [first, end] = [dayNumber(from), dayNumber(until)]
  if (end < first) throw new RangeError(`until ${until} is before from ${from}`)
  const rider = createRider(rideNetwork(city.streets), seed)
  const localDay = localDays(city.timezone)
  const fleet = makeFleet(seed)
  let ran = operators.map(() => false)
  // A week ahead of the range is ridden without telling, so that every vehicle is where its last service leads to.
  for (let day = first - serviceDays; day < end; day++) {
    const demand = dayDemand(seed, day)
    const runs = operators.map((operator) => isInService(operator, day))
    if (day === first - serviceDays) ran = operators.map((operator) => isInService(operator, day - 1))
    const local = localDay(day)
    for (const vehicle of fleet) {
      const o = vehicle.operatorIndex
      if (!runs[o]) {
        vehicle.edge = -1
        continue
      }
      const sinceService = (day + vehicle.index) % serviceDays
      const isFresh = sinceService === 0 || !ran[o]
      if (
        isFresh ||
        (vehicle.edge >= 0 &&
          vehicle.busyUntil < local.startMs &&
          hashNumbers(seed + 3, vehicle.index, day) < moved * 4294967296)
      ) {
        rider.putOut(vehicle, day)
      }
      const week = Math.floor((day + vehicle.index) / serviceDays)
      if (vehicle.edge < 0 || hashNumbers(seed + 5, vehicle.index, week) < workshop * 4294967296) continue
      // Nobody keeps a vehicle beyond its service: the next week must not depend on this one.
      const mayKeep = sinceService > 0 && sinceService < serviceDays - 3
      rider.ride(vehicle, day, local, demand, demand.factor, mayKeep, day < first ? undefined : emit)
    }
    ran = runs
    if (day >= first) onProgress?.((day + 1 - first) / (end - first))
  }
}
