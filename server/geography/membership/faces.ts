/**
 * Numbers faces in order of appearance. A face is a set of shapes that contain the same points; number 0 is
 * the empty set.
 */
export class Faces {
  readonly #numbers = new Map<string, number>([['', 0]])
  readonly sets: number[][] = [[]]

  /** Returns the number of a set of shapes. */
  getNumber(shapes: Iterable<number>): number {
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

  /** Returns all faces, in columns as in LayerIndex. */
  toColumns(): { faceStarts: Uint32Array; faceShapes: Uint32Array } {
    const faceStarts = new Uint32Array(this.sets.length + 1)
    for (const [face, set] of this.sets.entries())
      faceStarts[face + 1] = (faceStarts[face] as number) + set.length
    return { faceStarts, faceShapes: new Uint32Array(this.sets.flat()) }
  }
}
