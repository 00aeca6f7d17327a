import type { DemoTrip } from '../trips/demo-trip.ts'
import { numberParts } from '../trips/made-id.ts'
import type { LiveTrip } from './live-trip.ts'

const daySeconds = 86_400
/** Positions have six decimals. */
const degrees = 1e6
/** Values of a trip in each of the two columns. */
const [wholeCount, realCount] = [9, 3]

/**
 * The trips that start on a local day, by vehicle and in order. Columns take 60 bytes per trip, objects five times as
 * much; objects are created when they are read.
 */
export class TripDay {
  readonly #day: number
  /** Index of the first trip of each vehicle, then the number of trips. */
  readonly #first: Uint32Array
  readonly #whole: Int32Array
  readonly #real: Float64Array

  private constructor(day: number, vehicles: number, whole: readonly number[], real: readonly number[]) {
    this.#day = day
    this.#whole = Int32Array.from(whole)
    this.#real = Float64Array.from(real)
    this.#first = new Uint32Array(vehicles + 1)
    for (let at = 0; at < real.length; at += realCount) this.#first[numberParts(real[at]!).vehicle + 1]!++
    for (let vehicle = 0; vehicle < vehicles; vehicle++) this.#first[vehicle + 1]! += this.#first[vehicle]!
  }

  /** Collects the trips of a day, which are added by vehicle and in order. */
  static collect(day: number, vehicles: number): { add: (trip: DemoTrip) => void; end: () => TripDay } {
    const whole: number[] = []
    const real: number[] = []
    return {
      add(trip) {
        real.push(trip.tripNumber, trip.startOffset, trip.endOffset)
        whole.push(
          trip.startMs / 1000 - day * daySeconds,
          trip.durationS,
          trip.distanceM,
          Math.round(trip.startLon * degrees),
          Math.round(trip.startLat * degrees),
          Math.round(trip.endLon * degrees),
          Math.round(trip.endLat * degrees),
          trip.startEdge,
          trip.endEdge,
        )
      },
      end: () => new TripDay(day, vehicles, whole, real),
    }
  }

  /** Appends the trips of a vehicle that start before `until` and end at `from` (ms) or later. */
  addTrips(found: LiveTrip[], vehicle: number, from: number, until: number): void {
    for (let at = this.#first[vehicle]!; at < this.#first[vehicle + 1]!; at++) {
      const startMs = this.#startMs(at)
      if (startMs < until && startMs + this.#whole[at * wholeCount + 1]! * 1000 >= from)
        found.push(this.#tripAt(at))
    }
  }

  /** The last trip of a vehicle that starts at a time (ms) or before. */
  lastUntil(vehicle: number, time: number): LiveTrip | null {
    for (let at = this.#first[vehicle + 1]! - 1; at >= this.#first[vehicle]!; at--)
      if (this.#startMs(at) <= time) return this.#tripAt(at)
    return null
  }

  /** The first trip of a vehicle that starts after a time (ms). */
  firstAfter(vehicle: number, time: number): LiveTrip | null {
    for (let at = this.#first[vehicle]!; at < this.#first[vehicle + 1]!; at++)
      if (this.#startMs(at) > time) return this.#tripAt(at)
    return null
  }

  #startMs(at: number): number {
    return (this.#day * daySeconds + this.#whole[at * wholeCount]!) * 1000
  }

  #tripAt(at: number): LiveTrip {
    const [whole, real] = [at * wholeCount, at * realCount]
    const startMs = this.#startMs(at)
    const durationS = this.#whole[whole + 1]!
    return {
      tripNumber: this.#real[real]!,
      startMs,
      endMs: startMs + durationS * 1000,
      localDate: this.#day,
      startLon: this.#whole[whole + 3]! / degrees,
      startLat: this.#whole[whole + 4]! / degrees,
      endLon: this.#whole[whole + 5]! / degrees,
      endLat: this.#whole[whole + 6]! / degrees,
      startEdge: this.#whole[whole + 7]!,
      startOffset: this.#real[real + 1]!,
      endEdge: this.#whole[whole + 8]!,
      endOffset: this.#real[real + 2]!,
      distanceM: this.#whole[whole + 2]!,
      durationS,
    }
  }
}
