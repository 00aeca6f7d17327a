import type { Position } from '#contract/place.ts'

/** Digits that the engine works with, and those that a new place gets: a centimetre. */
const engineDigits = 9
const newDigits = 7

// Nothing is added to it, so that there is no minus zero.
const rounded = ([x, y]: Position, digits: number): Position => [
  Number(x.toFixed(digits)) + 0,
  Number(y.toFixed(digits)) + 0,
]
const keyOf = (place: Position): string => rounded(place, engineDigits).join(' ')

/**
 * The engine takes nine digits. Places that are not moved must come back as they were, to the last digit:
 * else each edit would part a shape from its neighbours by a hair.
 */
export class ExactPlaces {
  readonly #places = new Map<string, Position>()

  /** Places for the engine; what they were is remembered. */
  give(positions: readonly Position[]): Position[] {
    for (const place of positions) this.remember(place)
    return positions.map((place) => rounded(place, engineDigits))
  }

  remember(place: Position): void {
    this.#places.set(keyOf(place), place)
  }

  /** Places from the engine: known ones as they were, new ones to the centimetre. */
  take(positions: readonly Position[]): Position[] {
    return positions.map((place) => this.#places.get(keyOf(place)) ?? rounded(place, newDigits))
  }

  forget(): void {
    this.#places.clear()
  }
}
