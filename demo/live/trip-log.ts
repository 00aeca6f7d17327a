import { dayFromNumber } from '#contract/period.ts'
import type { City } from '../city.ts'
import { generateTrips } from '../make-trips.ts'
import { makeFleet } from '../trips/make-fleet.ts'
import { copyTrip, type LiveTrip } from './live-trip.ts'

/** Days before and after a day with trips that affect it; longer than it takes to recognize a workshop visit. */
const windowRadius = 9
/** Minimum number of days to generate at once, because each run simulates a week of lead time. */
const batchDays = 7
/** Maximum number of cached days. */
const maxCachedDays = 45

/** Trips around a local day by vehicle of the fleet, in order. */
export interface DayWindow {
  trips: readonly (readonly LiveTrip[])[]
  /** The first day after the window. */
  end: number
}

/** Generates the trips of days on demand and caches the latest. */
export class TripLog {
  private readonly days = new Map<number, LiveTrip[]>()
  private readonly windows = new Map<number, DayWindow>()
  private readonly city: Pick<City, 'streets' | 'timezone'>
  private readonly seed: number
  readonly fleet: ReturnType<typeof makeFleet>

  constructor(city: Pick<City, 'streets' | 'timezone'>, seed: number) {
    this.city = city
    this.seed = seed
    this.fleet = makeFleet(seed)
  }

  private make(from: number, until: number): void {
    for (let day = from; day < until; day++) this.days.set(day, [])
    generateTrips(this.city, {
      seed: this.seed,
      from: dayFromNumber(from),
      until: dayFromNumber(until),
      emit: (trip) => this.days.get(trip.localDate)?.push(copyTrip(trip)),
    })
  }

  /** The trips around a local day (days since 1970-01-01). */
  around(day: number): DayWindow {
    const known = this.windows.get(day)
    if (known) return known
    const [first, end] = [day - windowRadius, day + windowRadius + 1]
    for (let from = first; from < end; from++) {
      if (this.days.has(from)) continue
      let until = from + 1
      while (!this.days.has(until) && (until < end || until < from + batchDays)) until++
      this.make(from, until)
    }
    const trips: LiveTrip[][] = this.fleet.map(() => [])
    for (let each = first; each < end; each++)
      for (const trip of this.days.get(each) ?? [])
        trips[Math.floor(trip.tripNumber / 128) % 8192]?.push(trip)
    const window = { trips, end }
    this.windows.set(day, window)
    for (const old of [...this.windows.keys()].slice(0, -3)) this.windows.delete(old)
    if (this.days.size > maxCachedDays)
      for (const each of this.days.keys())
        if (each < first - batchDays || each >= end + batchDays) this.days.delete(each)
    return window
  }
}
