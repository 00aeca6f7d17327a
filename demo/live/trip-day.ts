import { type DemoTrip, splitTripNumber } from '../trips/demo-trip.ts'
import type { LiveTrip } from './live-trip.ts'

const daySeconds = 86_400
/** Positions are stored as millionths of a degree. */
const stepsPerDegree = 1e6
/** Offsets of the values of a trip in the array of integers, and their number. */
const integer = {
  start: 0,
  duration: 1,
  distance: 2,
  startLon: 3,
  startLat: 4,
  endLon: 5,
  endLat: 6,
  startEdge: 7,
  endEdge: 8,
} as const
const integersPerTrip = 9
/** Offsets of a trip's values in the array of floating-point numbers. */
const real = { tripNumber: 0, startOffset: 1, endOffset: 2 } as const
/** Number of these values per trip. */
const realsPerTrip = 3

/**
 * The trips that start on a local day, by vehicle and in order. They are stored in typed arrays, which take 60 bytes
 * per trip, a fifth of objects; objects are created on reading.
 */
export class TripDay {
  readonly #day: number
  /** Index of the first trip of each vehicle, then the number of trips. */
  readonly #firstIndexes: Uint32Array
  readonly #integers: Int32Array
  readonly #reals: Float64Array

  private constructor(day: number, vehicles: number, integers: readonly number[], reals: readonly number[]) {
    this.#day = day
    this.#integers = Int32Array.from(integers)
    this.#reals = Float64Array.from(reals)
    this.#firstIndexes = new Uint32Array(vehicles + 1)
    for (let index = 0; index < reals.length; index += realsPerTrip)
      this.#firstIndexes[splitTripNumber(reals[index + real.tripNumber]!).vehicle + 1]!++
    for (let vehicle = 0; vehicle < vehicles; vehicle++)
      this.#firstIndexes[vehicle + 1]! += this.#firstIndexes[vehicle]!
  }

  /** Collects the trips of a day, which are added by vehicle and in order. */
  static collect(day: number, vehicles: number): { add: (trip: DemoTrip) => void; end: () => TripDay } {
    const integers: number[] = []
    const reals: number[] = []
    return {
      add(trip) {
        reals.push(trip.tripNumber, trip.startOffset, trip.endOffset)
        integers.push(
          trip.startMs / 1000 - day * daySeconds,
          trip.durationS,
          trip.distanceM,
          Math.round(trip.startLon * stepsPerDegree),
          Math.round(trip.startLat * stepsPerDegree),
          Math.round(trip.endLon * stepsPerDegree),
          Math.round(trip.endLat * stepsPerDegree),
          trip.startEdge,
          trip.endEdge,
        )
      },
      end: () => new TripDay(day, vehicles, integers, reals),
    }
  }

  /** Appends the trips of a vehicle that start before `untilMs` and end at `fromMs` or later. */
  addTrips(trips: LiveTrip[], vehicle: number, fromMs: number, untilMs: number): void {
    for (let index = this.#firstIndexes[vehicle]!; index < this.#firstIndexes[vehicle + 1]!; index++) {
      const startMs = this.#getStartMs(index)
      if (
        startMs < untilMs &&
        startMs + this.#integers[index * integersPerTrip + integer.duration]! * 1000 >= fromMs
      )
        trips.push(this.#readTrip(index))
    }
  }

  /** Finds the last trip of a vehicle that starts at a time or before. */
  findLastUntil(vehicle: number, timeMs: number): LiveTrip | null {
    for (let index = this.#firstIndexes[vehicle + 1]! - 1; index >= this.#firstIndexes[vehicle]!; index--)
      if (this.#getStartMs(index) <= timeMs) return this.#readTrip(index)
    return null
  }

  /** Finds the first trip of a vehicle that starts after a time. */
  findFirstAfter(vehicle: number, timeMs: number): LiveTrip | null {
    for (let index = this.#firstIndexes[vehicle]!; index < this.#firstIndexes[vehicle + 1]!; index++)
      if (this.#getStartMs(index) > timeMs) return this.#readTrip(index)
    return null
  }

  #getStartMs(index: number): number {
    return (this.#day * daySeconds + this.#integers[index * integersPerTrip + integer.start]!) * 1000
  }

  #readTrip(index: number): LiveTrip {
    const [firstInteger, firstReal] = [index * integersPerTrip, index * realsPerTrip]
    const startMs = this.#getStartMs(index)
    const durationS = this.#integers[firstInteger + integer.duration]!
    return {
      tripNumber: this.#reals[firstReal + real.tripNumber]!,
      startMs,
      endMs: startMs + durationS * 1000,
      localDate: this.#day,
      startLon: this.#integers[firstInteger + integer.startLon]! / stepsPerDegree,
      startLat: this.#integers[firstInteger + integer.startLat]! / stepsPerDegree,
      endLon: this.#integers[firstInteger + integer.endLon]! / stepsPerDegree,
      endLat: this.#integers[firstInteger + integer.endLat]! / stepsPerDegree,
      startEdge: this.#integers[firstInteger + integer.startEdge]!,
      startOffset: this.#reals[firstReal + real.startOffset]!,
      endEdge: this.#integers[firstInteger + integer.endEdge]!,
      endOffset: this.#reals[firstReal + real.endOffset]!,
      distanceM: this.#integers[firstInteger + integer.distance]!,
      durationS,
    }
  }
}
