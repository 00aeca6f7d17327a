import type { City } from '../city.ts'
import { dayNumber } from '../day-number.ts'
import { hashNumbers } from '../hash-numbers.ts'
import { operators, isInService } from '../operators.ts'
import { computeDayDemand } from './day-demand.ts'
import type { DemoTrip } from './demo-trip.ts'
import { localDays } from './local-days.ts'
import { makeFleet } from './make-fleet.ts'
import { type RideNetwork, rideNetwork } from './ride-network.ts'
import { Rider } from './rider.ts'

export interface TripOptions {
  seed: number
  /** Local dates YYYY-MM-DD, half-open. */
  from: string
  until: string
  /** Receives trips by day and vehicle. The object is reused, so it must be copied to be stored. */
  emit: (trip: DemoTrip) => void
  /** Share of completed days, from 0 to 1. */
  onProgress?: (share: number) => void
  /** The network of the streets; default: the cached one. */
  network?: RideNetwork
}

/** Vehicles are serviced at this interval and redeployed at a place independent of earlier days. */
const serviceDays = 7
/** Share of vehicles that are moved per night without service. */
const movedShare = 0.24
/** Share of weeks that a vehicle spends in the workshop. */
const workshopShare = 0.07

/** Generates the trips of all operators in a half-open range of days, however it is divided. */
export function generateTrips(
  city: Pick<City, 'streets' | 'timezone'>,
  { seed, from, until, emit, onProgress, network = rideNetwork(city.streets) }: TripOptions,
): void {
  const [first, end] = [dayNumber(from), dayNumber(until)]
  if (end < first) throw new RangeError(`until ${until} is before from ${from}`)
  const rider = new Rider(network, seed)
  const localDay = localDays(city.timezone)
  const fleet = makeFleet(seed)
  let ranYesterday = operators.map(() => false)
  // The week before the range is simulated without emitting trips, so that every vehicle starts at the right place.
  for (let day = first - serviceDays; day < end; day++) {
    const demand = computeDayDemand(seed, day)
    const runs = operators.map((operator) => isInService(operator, day))
    if (day === first - serviceDays)
      ranYesterday = operators.map((operator) => isInService(operator, day - 1))
    const local = localDay(day)
    const today = { day, local, demand, factor: demand.factor }
    for (const vehicle of fleet) {
      if (!runs[vehicle.operatorIndex]) {
        vehicle.edge = -1
        continue
      }
      const sinceService = (day + vehicle.index) % serviceDays
      const isFresh = sinceService === 0 || !ranYesterday[vehicle.operatorIndex]
      if (
        isFresh ||
        (vehicle.edge >= 0 &&
          vehicle.busyUntil < local.startMs &&
          hashNumbers(seed + 3, vehicle.index, day) < movedShare * 2 ** 32)
      ) {
        rider.deploy(vehicle, day)
      }
      const week = Math.floor((day + vehicle.index) / serviceDays)
      if (vehicle.edge < 0 || hashNumbers(seed + 5, vehicle.index, week) < workshopShare * 2 ** 32) continue
      // No trip extends past the next service, because the next week must not depend on this one.
      const allowsLongTrip = sinceService > 0 && sinceService < serviceDays - 3
      rider.ride(vehicle, today, { allowsLongTrip, emit: day < first ? undefined : emit })
    }
    ranYesterday = runs
    if (day >= first) onProgress?.((day + 1 - first) / (end - first))
  }
}
