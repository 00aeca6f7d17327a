import { dayFromNumber } from '#contract/period.ts'
import type { City } from '../city.ts'
import { generateTrips } from '../trips/make-trips.ts'
import { makeFleet } from '../trips/make-fleet.ts'
import { createRideNetwork } from '../trips/ride-network.ts'
import type { LiveTrip } from './live-trip.ts'
import { TripDay } from './trip-day.ts'

/** Days before and after a day with trips that affect it; enough to recognize a workshop visit. */
const windowRadius = 9
/** Minimum number of days to generate at once, because each run simulates a week of lead time. */
const batchDays = 7
/** Additional earlier days to generate at first, because feeds soon request the day before. */
const earlierDays = 2
/** Maximum number of cached days. */
const maxCachedDays = 45

/** The trips around a local day, by vehicle of the fleet. */
export class TripWindow {
  readonly #days: readonly TripDay[]
  /** First local day after the window, in days since 1970-01-01. */
  readonly end: number

  constructor(days: readonly TripDay[], end: number) {
    this.#days = days
    this.end = end
  }

  /** Lists the trips of a vehicle in order that start before `untilMs` and end at `fromMs` or later. */
  listTrips(
    vehicle: number,
    fromMs = Number.NEGATIVE_INFINITY,
    untilMs = Number.POSITIVE_INFINITY,
  ): LiveTrip[] {
    const trips: LiveTrip[] = []
    for (const day of this.#days) day.addTrips(trips, vehicle, fromMs, untilMs)
    return trips
  }

  /** Finds the last trip of a vehicle that starts by a time, and the next trip; null if there is none. */
  findTripsAround(vehicle: number, timeMs: number): { before: LiveTrip | null; after: LiveTrip | null } {
    let before: LiveTrip | null = null
    for (let i = this.#days.length - 1; i >= 0 && !before; i--)
      before = this.#days[i]!.findLastUntil(vehicle, timeMs)
    let after: LiveTrip | null = null
    for (let i = 0; i < this.#days.length && !after; i++)
      after = this.#days[i]!.findFirstAfter(vehicle, timeMs)
    return { before, after }
  }
}

/** Generates the trips of days on demand, and caches days near the latest request. */
export class TripLog {
  readonly #days = new Map<number, TripDay>()
  readonly #city: Pick<City, 'streets' | 'timezone'>
  readonly #seed: number
  readonly fleet: ReturnType<typeof makeFleet>

  constructor(city: Pick<City, 'streets' | 'timezone'>, seed: number) {
    this.#city = city
    this.#seed = seed
    this.fleet = makeFleet(seed)
  }

  /** Generates the trips of half-open local days. */
  #generate(from: number, until: number): void {
    const days = Array.from({ length: until - from }, (_, i) => TripDay.collect(from + i, this.fleet.length))
    generateTrips(this.#city, {
      seed: this.#seed,
      from: dayFromNumber(from),
      until: dayFromNumber(until),
      emit: (trip) => days[trip.localDate - from]?.add(trip),
      // Created for each run and not cached: it is needed for seconds per week and takes most of the memory
      // here.
      network: createRideNetwork(this.#city.streets),
    })
    days.forEach((day, i) => this.#days.set(from + i, day.end()))
  }

  /** Returns the trips around a local day (days since 1970-01-01). */
  getWindow(day: number): TripWindow {
    const [first, end] = [day - windowRadius, day + windowRadius + 1]
    if (!this.#days.size) this.#generate(first - earlierDays, end)
    for (let from = first; from < end; from++) {
      if (this.#days.has(from)) continue
      let until = from + 1
      while (!this.#days.has(until) && (until < end || until < from + batchDays)) until++
      this.#generate(from, until)
    }
    const days = Array.from({ length: end - first }, (_, i) => this.#days.get(first + i)!)
    if (this.#days.size > maxCachedDays)
      for (const cached of this.#days.keys())
        if (cached < first - batchDays || cached >= end + batchDays) this.#days.delete(cached)
    return new TripWindow(days, end)
  }
}
