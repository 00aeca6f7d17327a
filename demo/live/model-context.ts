import { hashNumbers } from '../hash-numbers.ts'

/** Draws a pseudorandom number in [0, 1) for a trip; `purpose` separates the draws of one trip. */
export const drawShare = (seed: number, number: number, purpose: number): number =>
  hashNumbers(seed + purpose, Math.floor(number / 1_048_576), number % 1_048_576) / 4_294_967_296

/** Inputs of all calculations of the fleet simulation. */
export interface ModelContext {
  seed: number
  /** Meters per degree of longitude. */
  lonMeters: number
  /** Start (ms) of a local day. */
  midnight: (day: number) => number
}
