import { hashToShare } from '../hash-numbers.ts'

/** Draws a pseudorandom number in [0, 1) for a trip; `salt` separates the draws of one trip. */
export const drawShare = (seed: number, tripNumber: number, salt: number): number =>
  hashToShare(seed + salt, Math.floor(tripNumber / 1_048_576), tripNumber % 1_048_576)

/** Inputs of all calculations of the fleet simulation. */
export interface ModelContext {
  seed: number
  /** Meters per degree of longitude. */
  lonMeters: number
  /** Start (ms) of a local day. */
  midnight: (day: number) => number
}
