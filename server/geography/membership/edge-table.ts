import type { Position } from '#contract/place.ts'
import type { Edge, NumberedShape } from './edge.ts'

const ends = new Float64Array(4)
const words = new Uint32Array(ends.buffer)

/** Returns a 32-bit hash of four coordinates, after FNV-1a. */
function hashCoordinates(ax: number, ay: number, bx: number, by: number): number {
  // 0 and -0 are the same place.
  ends[0] = ax + 0
  ends[1] = ay + 0
  ends[2] = bx + 0
  ends[3] = by + 0
  let hash = 0x811c9dc5
  for (let index = 0; index < 8; index++) {
    hash = Math.imul(hash ^ (words[index] as number), 0x01000193)
    hash ^= hash >>> 15
  }
  return Math.imul(hash, 0x9e3779b1) >>> 0
}

/** A hash table of edges by their ends. Lookups in a Map by text took most of the time of indexing. */
export class EdgeTable {
  readonly edges: Edge[] = []
  /**
   * Open addressing: the index of an edge plus one, or 0 if a slot is free. The size is a power of two, at
   * most half full.
   */
  #slots = new Uint32Array(1024)

  /** Returns the edge from a left to a right end. A new edge has no shapes. */
  getOrAdd(ax: number, ay: number, bx: number, by: number): Edge {
    const mask = this.#slots.length - 1
    let slot = hashCoordinates(ax, ay, bx, by) & mask
    for (; this.#slots[slot]; slot = (slot + 1) & mask) {
      const edge = this.edges[(this.#slots[slot] as number) - 1] as Edge
      if (edge.ax === ax && edge.ay === ay && edge.bx === bx && edge.by === by) return edge
    }
    const added: Edge = { ax, ay, bx, by, slope: (by - ay) / (bx - ax), shapes: [] }
    this.edges.push(added)
    this.#slots[slot] = this.edges.length
    if (this.edges.length * 2 > this.#slots.length) this.#grow()
    return added
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    for (const [index, { ax, ay, bx, by }] of this.edges.entries()) {
      let slot = hashCoordinates(ax, ay, bx, by) & (slots.length - 1)
      while (slots[slot]) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = index + 1
    }
    this.#slots = slots
  }
}

/**
 * Returns all edges of shapes. A segment that neighbors share is one edge of both, so that a point near it is
 * in exactly one of them. A segment that occurs twice in a shape is not a border of it.
 */
export function collectEdges(shapes: readonly NumberedShape[]): Edge[] {
  const table = new EdgeTable()
  for (const { number, rings } of shapes)
    for (const ring of rings)
      for (let i = 0; i + 1 < ring.length; i++) {
        const [ax, ay] = ring[i] as Position
        const [bx, by] = ring[i + 1] as Position
        if (ax === bx && ay === by) continue
        const edge =
          ax > bx || (ax === bx && ay > by) ? table.getOrAdd(bx, by, ax, ay) : table.getOrAdd(ax, ay, bx, by)
        const index = edge.shapes.indexOf(number)
        if (index < 0) edge.shapes.push(number)
        else edge.shapes.splice(index, 1)
      }
  return table.edges.filter(({ shapes }) => shapes.length)
}
