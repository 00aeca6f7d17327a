import { metersBetween } from '#server/geography/geometry/distance.ts'
import { movedMeters } from '#server/fleet/events/moved-meters.ts'
import { wasLostBetween } from '#server/regions/lost-vehicles.ts'
import type { Rule } from './rule.ts'
import { countsState, lostAfterMs } from './vehicles-at.ts'
import type { Step } from './vehicle-track.ts'

/** A state of a vehicle from one event to the next. Times in ms since 1970. */
export type DwellInterval = Pick<Step, 'at' | 'state' | 'types' | 'lon' | 'lat'> & {
  until: number
  vehicle: number
}

/**
 * The dwell clocks of rules (docs/metrics.md, decision 4), interval by interval: a clock continues from state to state of its rule, and
 * restarts when the vehicle moves, leaves those states, or was lost in between.
 */
export class DwellClocks {
  readonly #rules: readonly Pick<Rule, 'states'>[]
  /** Ms of silence after which a vehicle is lost, by rule. */
  readonly silences: readonly number[]
  readonly #since: Float64Array
  readonly #isLooked: Uint8Array
  #before: DwellInterval | null = null

  constructor(rules: readonly Pick<Rule, 'states' | 'kind' | 'bounds'>[], lostMs: number) {
    this.#rules = rules
    this.silences = rules.map((rule) => lostAfterMs(rule, lostMs))
    this.#since = new Float64Array(rules.length)
    this.#isLooked = new Uint8Array(rules.length)
  }

  /** The next interval, of the same vehicle in order of time or of another. */
  enter(interval: DwellInterval): void {
    const before = this.#before
    const follows = before !== null && before.vehicle === interval.vehicle && before.until === interval.at
    // An unknown place does not count as a move, as at a moment.
    const isThere = before !== null && follows && !(metersBetween(before, interval) > movedMeters)
    for (const [index, rule] of this.#rules.entries()) {
      const runsOn =
        isThere &&
        this.#isLooked[index] === 1 &&
        !wasLostBetween(before.at, interval.at, this.silences[index] as number)
      if (!runsOn) this.#since[index] = interval.at
      this.#isLooked[index] = countsState(rule, interval) ? 1 : 0
    }
    this.#before = interval
  }

  countsState(rule: number): boolean {
    return this.#isLooked[rule] === 1
  }

  since(rule: number): number {
    return this.#since[rule] as number
  }
}
