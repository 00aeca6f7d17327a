import type { Candidate } from '../../decide-rules.ts'

/** Candidates of one rule in the order in which they came; a vehicle stands in it once. */
export class WaitingLine<Of extends Candidate> {
  readonly line: Of[] = []

  /** Where a candidate stands or would stand. */
  #placeOf({ since, vehicle }: Of): number {
    let [low, high] = [0, this.line.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.line[middle] as Of
      if (other.since < since || (other.since === since && other.vehicle < vehicle)) low = middle + 1
      else high = middle
    }
    return low
  }

  add(candidate: Of): void {
    this.line.splice(this.#placeOf(candidate), 0, candidate)
  }

  remove(candidate: Of): void {
    const place = this.#placeOf(candidate)
    if (this.line[place] === candidate) this.line.splice(place, 1)
  }
}
