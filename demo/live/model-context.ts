import { hashNumbers } from '../hash-numbers.ts'

/** A pseudorandom number in [0, 1) for a trip and a purpose. */
export const shareOf = (seed: number, number: number, purpose: number): number =>
  hashNumbers(seed + purpose, Math.floor(number / 1_048_576), number % 1_048_576) / 4_294_967_296

/** Inputs of all calculations of the model. */
export interface ModelContext {
  seed: number
  /** Meters per degree of longitude. */
  lonMeters: number
  /** Start (ms) of a local day. */
  midnight: (day: number) => number
}
