import { findCrossing, type Edge } from './edge.ts'
import type { Faces } from './faces.ts'
import type { EdgeCells } from './layer-index.ts'

/** Thrown if more shapes meet in a finer cell than an edge cell supports: the layer needs several indexes. */
export class TooDenseError extends Error {
  override name = 'TooDenseError'
}

/** Maximum number of shapes with edges in one finer cell. Six shapes have up to 2^6 faces. */
export const maxCandidates = 6

/** A list of faces, one for each combination of candidates, as a range of all faces. */
interface SharedFaces {
  start: number
  count: number
  /** Bits of the candidates that contain the reference point. */
  ref: number
}

/**
 * Collects edge cells. The candidates of a cell are the shapes with edges in it. Most cells have the same
 * candidates and the same face around them as other cells, and share one list of faces with them.
 */
export class EdgeCellList {
  readonly #rx: number[] = []
  readonly #ry: number[] = []
  readonly #ref: number[] = []
  readonly #faceStarts: number[] = []
  readonly #faceCounts: number[] = []
  readonly #faces: number[] = []
  readonly #edgeStarts: number[] = [0]
  readonly #x0: number[] = []
  readonly #x1: number[] = []
  readonly #y0: number[] = []
  readonly #slope: number[] = []
  readonly #hx: number[] = []
  readonly #bit: number[] = []
  readonly #shared = new Map<string, SharedFaces>()
  readonly #faceNumbers: Faces
  constructor(faces: Faces) {
    this.#faceNumbers = faces
  }

  get length(): number {
    return this.#rx.length
  }

  /** Adds a cell with its edges. Its reference point (rx, ry) is in `face`. @throws TooDenseError */
  add(edges: readonly Edge[], face: number, rx: number, ry: number): void {
    const candidates = listCandidates(edges)
    const { start, count, ref } = this.#getFaces(face, candidates)
    this.#rx.push(rx)
    this.#ry.push(ry)
    this.#ref.push(ref)
    this.#faceStarts.push(start)
    this.#faceCounts.push(count)
    for (const edge of edges) {
      let bits = 0
      for (const shape of edge.shapes) bits |= 1 << candidates.indexOf(shape)
      this.#x0.push(edge.ax)
      this.#x1.push(edge.bx)
      this.#y0.push(edge.ay)
      this.#slope.push(edge.slope)
      this.#hx.push(findCrossing(edge, ry))
      this.#bit.push(bits)
    }
    this.#edgeStarts.push(this.#x0.length)
  }

  #getFaces(face: number, candidates: readonly number[]): SharedFaces {
    const key = `${face} ${candidates.join()}`
    const shared = this.#shared.get(key)
    if (shared) return shared
    const inside = this.#faceNumbers.sets[face] ?? []
    const otherShapes = inside.filter((shape) => !candidates.includes(shape))
    let ref = 0
    for (const [bit, shape] of candidates.entries()) if (inside.includes(shape)) ref |= 1 << bit
    const added = { start: this.#faces.length, count: 1 << candidates.length, ref }
    // One face for each combination of candidates.
    for (let bits = 0; bits < added.count; bits++)
      this.#faces.push(
        this.#faceNumbers.getNumber([...otherShapes, ...candidates.filter((_, bit) => bits & (1 << bit))]),
      )
    this.#shared.set(key, added)
    return added
  }

  toColumns(): EdgeCells {
    return {
      rx: new Float64Array(this.#rx),
      ry: new Float64Array(this.#ry),
      ref: new Uint32Array(this.#ref),
      faceStarts: new Uint32Array(this.#faceStarts),
      faceCounts: new Uint32Array(this.#faceCounts),
      faces: new Uint32Array(this.#faces),
      edgeStarts: new Uint32Array(this.#edgeStarts),
      x0: new Float64Array(this.#x0),
      x1: new Float64Array(this.#x1),
      y0: new Float64Array(this.#y0),
      slope: new Float64Array(this.#slope),
      hx: new Float64Array(this.#hx),
      bit: new Uint32Array(this.#bit),
    }
  }
}

/** Lists the shapes of the edges of a cell, in ascending order. */
function listCandidates(edges: readonly Edge[]): number[] {
  const candidates: number[] = []
  for (const { shapes } of edges)
    for (const shape of shapes) if (!candidates.includes(shape)) candidates.push(shape)
  if (candidates.length > maxCandidates)
    throw new TooDenseError(`${candidates.length} shapes meet in one spot`)
  return candidates.sort((a, b) => a - b)
}
