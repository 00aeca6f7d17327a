import { measureDistance } from '#server/geography/geometry/distance.ts'
import { movedMeters } from '#server/fleet/events/moved-meters.ts'
import { wasLostBetween } from '#server/regions/lost-vehicles.ts'
import type { Rule } from './rule.ts'
import { countsState, getLostAfterMs } from './vehicles-at.ts'
import type { Step } from './vehicle-track.ts'

/** A state of a vehicle from one event to the next. Times in ms since 1970. */
export type DwellInterval = Pick<Step, 'at' | 'state' | 'types' | 'lon' | 'lat'> & {
  until: number
  vehicle: number
}

/**
 * Tracks since when a vehicle qualifies for each rule (docs/metrics.md, decision 4), interval by interval.
 * The clock of a rule continues through the states that the rule counts. It restarts when the vehicle moves,
 * leaves these states, or was lost.
 */
export class DwellClocks {
  readonly #rules: readonly Pick<Rule, 'states'>[]
  /** The silence after which a vehicle is lost, by rule, ms. */
  readonly silences: readonly number[]
  readonly #since: Float64Array
  readonly #countsState: Uint8Array
  #previous: DwellInterval | null = null

  constructor(rules: readonly Pick<Rule, 'states' | 'kind' | 'bounds'>[], lostMs: number) {
    this.#rules = rules
    this.silences = rules.map((rule) => getLostAfterMs(rule, lostMs))
    this.#since = new Float64Array(rules.length)
    this.#countsState = new Uint8Array(rules.length)
  }

  /** Advances to the next interval of the same vehicle, in order of time, or to another vehicle. */
  enter(interval: DwellInterval): void {
    const previous = this.#previous
    const follows =
      previous !== null && previous.vehicle === interval.vehicle && previous.until === interval.at
    // An unknown place (NaN) does not count as a move, as in `findArrival`.
    const hasStayed = follows && !(measureDistance(previous, interval) > movedMeters)
    for (const [index, rule] of this.#rules.entries()) {
      const continues =
        hasStayed &&
        this.#countsState[index] === 1 &&
        !wasLostBetween(previous.at, interval.at, this.silences[index] as number)
      if (!continues) this.#since[index] = interval.at
      this.#countsState[index] = countsState(rule, interval) ? 1 : 0
    }
    this.#previous = interval
  }

  /** Whether a rule counts the state of the current interval. */
  countsState(rule: number): boolean {
    return this.#countsState[rule] === 1
  }

  /** Returns the time since when the vehicle qualifies for a rule, ms since 1970. */
  since(rule: number): number {
    return this.#since[rule] as number
  }
}
