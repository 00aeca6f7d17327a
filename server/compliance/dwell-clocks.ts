import { metersBetween } from '#server/geography/distance.ts'
import { movedMeters } from '#server/mobility/fleet/moved-meters.ts'
import { wasLostBetween } from '#server/regions/lost-vehicles.ts'
import type { Rule } from './rule.ts'
import { looksAt, silenceOf } from './standing.ts'
import type { Step } from './vehicle-track.ts'

/** What a vehicle reported last, from one report to the next. Times in ms since 1970. */
export type DwellStay = Pick<Step, 'at' | 'state' | 'types' | 'lon' | 'lat'> & {
  until: number
  vehicle: number
}

/**
 * The dwell clocks of rules (metrics.md, decision 4), stay by stay: a clock runs on from state to state of its rule, and restarts when the
 * vehicle moves, leaves those states, or was lost in between.
 */
export class DwellClocks {
  readonly #rules: readonly Pick<Rule, 'states'>[]
  /** Ms of silence after which a vehicle is out of each rule. */
  readonly silences: readonly number[]
  readonly #since: Float64Array
  readonly #isLooked: Uint8Array
  #before: DwellStay | null = null

  constructor(rules: readonly Pick<Rule, 'states' | 'kind' | 'bounds'>[], lostMs: number) {
    this.#rules = rules
    this.silences = rules.map((rule) => silenceOf(rule, lostMs))
    this.#since = new Float64Array(rules.length)
    this.#isLooked = new Uint8Array(rules.length)
  }

  /** The next stay: of the same vehicle in order of time, or of another. */
  enter(stay: DwellStay): void {
    const before = this.#before
    const follows = before !== null && before.vehicle === stay.vehicle && before.until === stay.at
    // A place that is not known has not moved, as at a moment.
    const isThere = before !== null && follows && !(metersBetween(before, stay) > movedMeters)
    for (const [index, rule] of this.#rules.entries()) {
      const runsOn =
        isThere &&
        this.#isLooked[index] === 1 &&
        !wasLostBetween(before.at, stay.at, this.silences[index] as number)
      if (!runsOn) this.#since[index] = stay.at
      this.#isLooked[index] = looksAt(rule, stay) ? 1 : 0
    }
    this.#before = stay
  }

  looksAt(rule: number): boolean {
    return this.#isLooked[rule] === 1
  }

  since(rule: number): number {
    return this.#since[rule] as number
  }
}
