import type { Position } from '#contract/place.ts'
import type { Edge, NumberedShape } from './edge.ts'

const ends = new Float64Array(4)
const words = new Uint32Array(ends.buffer)

/** A 32-bit hash of four coordinates. */
function hashOf(ax: number, ay: number, bx: number, by: number): number {
  // 0 and -0 are the same place.
  ends[0] = ax + 0
  ends[1] = ay + 0
  ends[2] = bx + 0
  ends[3] = by + 0
  let hash = 0x811c9dc5
  for (let at = 0; at < 8; at++) {
    hash = Math.imul(hash ^ (words[at] as number), 0x01000193)
    hash ^= hash >>> 15
  }
  return Math.imul(hash, 0x9e3779b1) >>> 0
}

/** A hash table of edges by their ends. With a Map by text, its lookups take most of the time of building an index. */
export class EdgeTable {
  readonly edges: Edge[] = []
  /** Open addressing: index of an edge plus one, or 0 if free. The size is a power of two, at most half full. */
  #slots = new Uint32Array(1024)

  /** The edge from a left to a right end; a new one has no shapes. */
  between(ax: number, ay: number, bx: number, by: number): Edge {
    const mask = this.#slots.length - 1
    let slot = hashOf(ax, ay, bx, by) & mask
    for (; this.#slots[slot]; slot = (slot + 1) & mask) {
      const edge = this.edges[(this.#slots[slot] as number) - 1] as Edge
      if (edge.ax === ax && edge.ay === ay && edge.bx === bx && edge.by === by) return edge
    }
    const made: Edge = { ax, ay, bx, by, slope: (by - ay) / (bx - ax), shapes: [] }
    this.edges.push(made)
    this.#slots[slot] = this.edges.length
    if (this.edges.length * 2 > this.#slots.length) this.#grow()
    return made
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    for (const [at, { ax, ay, bx, by }] of this.edges.entries()) {
      let slot = hashOf(ax, ay, bx, by) & (slots.length - 1)
      while (slots[slot]) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = at + 1
    }
    this.#slots = slots
  }
}

/**
 * All edges of a layer. A segment shared by neighbors is one edge of both, so that a point near it is in exactly one of
 * them. A segment that a shape contains twice is not a border of it.
 */
export function collectEdges(shapes: readonly NumberedShape[]): Edge[] {
  const found = new EdgeTable()
  for (const { number, rings } of shapes)
    for (const ring of rings)
      for (let i = 0; i + 1 < ring.length; i++) {
        const [ax, ay] = ring[i] as Position
        const [bx, by] = ring[i + 1] as Position
        if (ax === bx && ay === by) continue
        const edge =
          ax > bx || (ax === bx && ay > by) ? found.between(bx, by, ax, ay) : found.between(ax, ay, bx, by)
        const at = edge.shapes.indexOf(number)
        if (at < 0) edge.shapes.push(number)
        else edge.shapes.splice(at, 1)
      }
  return found.edges.filter(({ shapes }) => shapes.length)
}
