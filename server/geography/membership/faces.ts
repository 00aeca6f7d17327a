/** Numbers faces, the sets of shapes that points can be in, in order of appearance; 0 is the empty set. */
export class Faces {
  readonly #numbers = new Map<string, number>([['', 0]])
  readonly sets: number[][] = [[]]

  /** The number of a set of shapes. */
  of(shapes: Iterable<number>): number {
    const set = [...shapes].sort((a, b) => a - b)
    const key = set.join(',')
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.sets.length
      this.#numbers.set(key, number)
      this.sets.push(set)
    }
    return number
  }

  /** All sets, concatenated as in LayerIndex. */
  columns(): { faceStarts: Uint32Array; faceShapes: Uint32Array } {
    const faceStarts = new Uint32Array(this.sets.length + 1)
    for (const [at, set] of this.sets.entries()) faceStarts[at + 1] = (faceStarts[at] as number) + set.length
    return { faceStarts, faceShapes: new Uint32Array(this.sets.flat()) }
  }
}
