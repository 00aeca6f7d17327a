import { crossingAt, type Edge } from './edge.ts'
import type { Faces } from './faces.ts'
import type { EdgeCells } from './layer-index.ts'

/** Thrown if more shapes meet in one finer cell than an edge cell supports: the layer needs several indexes. */
export class TooDenseError extends Error {
  override name = 'TooDenseError'
}

/** Maximum number of shapes with edges in one finer cell, which has up to 2^6 faces. */
export const maxCandidates = 6

interface SharedFaces {
  start: number
  count: number
  ref: number
}

/** Collects edge cells. Cells with the same candidates around the same face share one list of faces, because most cells do. */
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
  readonly #known = new Map<string, SharedFaces>()
  readonly #all: Faces
  constructor(faces: Faces) {
    this.#all = faces
  }

  get length(): number {
    return this.#rx.length
  }

  /** Adds a cell with its edges; its reference point lies in `face`. Throws TooDenseError. */
  add(near: readonly Edge[], face: number, rx: number, ry: number): void {
    const candidates = candidatesOf(near)
    const { start, count, ref } = this.#facesOf(face, candidates)
    this.#rx.push(rx)
    this.#ry.push(ry)
    this.#ref.push(ref)
    this.#faceStarts.push(start)
    this.#faceCounts.push(count)
    for (const edge of near) {
      let bits = 0
      for (const shape of edge.shapes) bits |= 1 << candidates.indexOf(shape)
      this.#x0.push(edge.ax)
      this.#x1.push(edge.bx)
      this.#y0.push(edge.ay)
      this.#slope.push(edge.slope)
      this.#hx.push(crossingAt(edge, ry))
      this.#bit.push(bits)
    }
    this.#edgeStarts.push(this.#x0.length)
  }

  #facesOf(face: number, candidates: readonly number[]): SharedFaces {
    const key = `${face} ${candidates.join()}`
    const known = this.#known.get(key)
    if (known) return known
    const inside = this.#all.sets[face] ?? []
    const around = inside.filter((shape) => !candidates.includes(shape))
    let ref = 0
    for (const [at, shape] of candidates.entries()) if (inside.includes(shape)) ref |= 1 << at
    const made = { start: this.#faces.length, count: 1 << candidates.length, ref }
    for (let bits = 0; bits < made.count; bits++)
      this.#faces.push(this.#all.of([...around, ...candidates.filter((_, at) => bits & (1 << at))]))
    this.#known.set(key, made)
    return made
  }

  columns(): EdgeCells {
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

/** The shapes of the edges of a cell, in ascending order. */
function candidatesOf(near: readonly Edge[]): number[] {
  const found: number[] = []
  for (const { shapes } of near) for (const shape of shapes) if (!found.includes(shape)) found.push(shape)
  if (found.length > maxCandidates) throw new TooDenseError(`${found.length} shapes meet in one spot`)
  return found.sort((a, b) => a - b)
}
