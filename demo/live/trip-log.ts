import { dayFromNumber } from '#contract/period.ts'
import type { City } from '../city.ts'
import { generateTrips } from '../make-trips.ts'
import { makeFleet } from '../trips/make-fleet.ts'
import { keptTrip, type LiveTrip } from './live-trip.ts'

/** Days before and after a day whose trips tell all that happens on it: a rest of the workshop is shorter known. */
const reach = 9
/** Days made at least at once: each time a week is ridden ahead. */
const atOnce = 7
/** Days that are kept. */
const mostKept = 45

/** Trips around a local day: of each vehicle of the fleet, in order. */
export interface DayWindow {
  trips: readonly (readonly LiveTrip[])[]
  /** The first day that is not in it. */
  end: number
}

/** Makes the trips of any days when first asked for, and keeps the latest. */
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
      emit: (trip) => this.days.get(trip.localDate)?.push(keptTrip(trip)),
    })
  }

  /** The trips around a local day (days since 1970-01-01). */
  around(day: number): DayWindow {
    const known = this.windows.get(day)
    if (known) return known
    const [first, end] = [day - reach, day + reach + 1]
    for (let from = first; from < end; from++) {
      if (this.days.has(from)) continue
      let until = from + 1
      while (!this.days.has(until) && (until < end || until < from + atOnce)) until++
      this.make(from, until)
    }
    const trips: LiveTrip[][] = this.fleet.map(() => [])
    for (let each = first; each < end; each++)
      for (const trip of this.days.get(each) ?? [])
        trips[Math.floor(trip.tripNumber / 128) % 8192]?.push(trip)
    const window = { trips, end }
    this.windows.set(day, window)
    for (const old of [...this.windows.keys()].slice(0, -3)) this.windows.delete(old)
    if (this.days.size > mostKept)
      for (const each of this.days.keys())
        if (each < first - atOnce || each >= end + atOnce) this.days.delete(each)
    return window
  }
}
