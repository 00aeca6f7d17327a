import type { City } from '../city.ts'
import { dayNumber } from '../day-number.ts'
import { occursWithProbability, salts } from '../hash-numbers.ts'
import { operators, isInService } from '../operators.ts'
import { computeDayDemand } from './day-demand.ts'
import type { DemoTrip } from './demo-trip.ts'
import { createLocalDays } from './local-days.ts'
import { makeFleet } from './make-fleet.ts'
import { type RideNetwork, rideNetwork } from './ride-network.ts'
import { Rider } from './rider.ts'
import { isOnStreet, offStreet } from './vehicle.ts'

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
/** Days before a service on which no trip of up to 49 hours starts, so that none runs past the service. */
const daysWithoutLongTrips = 3

/** Generates the trips of a half-open range of days. A day's trips are the same in every range. */
export function generateTrips(
  city: Pick<City, 'streets' | 'timezone'>,
  { seed, from, until, emit, onProgress, network = rideNetwork(city.streets) }: TripOptions,
): void {
  const [first, end] = [dayNumber(from), dayNumber(until)]
  if (end < first) throw new RangeError(`until ${until} is before from ${from}`)
  const rider = new Rider(network, seed)
  const localDay = createLocalDays(city.timezone)
  const fleet = makeFleet(seed)
  const listInService = (day: number): boolean[] => operators.map((operator) => isInService(operator, day))
  // The week before the range is simulated without emitting trips, so that every vehicle starts at the right place.
  let wasInService = listInService(first - serviceDays - 1)
  for (let day = first - serviceDays; day < end; day++) {
    const demand = computeDayDemand(seed, day)
    const inService = listInService(day)
    const local = localDay(day)
    const today = { day, local, demand, factor: demand.factor }
    for (const vehicle of fleet) {
      if (!inService[vehicle.operatorIndex]) {
        vehicle.edge = offStreet
        continue
      }
      const sinceService = (day + vehicle.index) % serviceDays
      const isFresh = sinceService === 0 || !wasInService[vehicle.operatorIndex]
      if (
        isFresh ||
        (isOnStreet(vehicle) &&
          vehicle.busyUntil < local.startMs &&
          occursWithProbability(movedShare, seed + salts.nightlyMove, vehicle.index, day))
      ) {
        rider.deploy(vehicle, day)
      }
      const week = Math.floor((day + vehicle.index) / serviceDays)
      const isInWorkshop = occursWithProbability(workshopShare, seed + salts.workshop, vehicle.index, week)
      if (!isOnStreet(vehicle) || isInWorkshop) continue
      // The next week must not depend on this one.
      const allowsLongTrip = sinceService > 0 && sinceService < serviceDays - daysWithoutLongTrips
      rider.ride(vehicle, today, { allowsLongTrip, emit: day < first ? undefined : emit })
    }
    wasInService = inService
    if (day >= first) onProgress?.((day + 1 - first) / (end - first))
  }
}
