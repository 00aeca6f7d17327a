import { hashNumbers } from '../hash-numbers.ts'

/** A share in [0, 1) that belongs to a trip and a purpose. */
export const shareOf = (seed: number, number: number, purpose: number): number =>
  hashNumbers(seed + purpose, Math.floor(number / 1_048_576), number % 1_048_576) / 4_294_967_296

/** What everything of the model is reckoned with. */
export interface Reckoning {
  seed: number
  /** Metres a degree of longitude. */
  lonMetres: number
  /** Local midnight (ms) at which a day begins. */
  midnight: (day: number) => number
}
