import { type Plane, createPlane } from './plane.ts'
import type { StreetSegment } from './street-segments.ts'

/** Streets in a grid of square cells, for lookups by position. */
export interface StreetGrid {
  plane: Plane
  segments: readonly StreetSegment[]
  /** The length of each segment, meters. */
  length: Float64Array
  /** The ends of each edge in meters on the plane, and the segment that it belongs to. */
  x0: Float64Array
  y0: Float64Array
  x1: Float64Array
  y1: Float64Array
  segmentByEdge: Uint32Array
  /** The numbers of the junctions at both ends of each segment. */
  from: Uint32Array
  to: Uint32Array
  /** Returns the edges near a position: those of its cell and of the neighboring cells. */
  findEdgesNear(x: number, y: number): readonly number[]
}

/** The side of a cell. Streets up to this distance are found. */
const cellMeters = 60

/** Builds the grid of street edges in which routes are matched. */
export function buildStreetGrid(segments: readonly StreetSegment[], lat: number): StreetGrid {
  const plane = createPlane(lat)
  const count = segments.reduce((sum, { coordinates }) => sum + coordinates.length - 1, 0)
  const x0 = new Float64Array(count)
  const y0 = new Float64Array(count)
  const x1 = new Float64Array(count)
  const y1 = new Float64Array(count)
  const segmentByEdge = new Uint32Array(count)
  const length = new Float64Array(segments.length)
  const from = new Uint32Array(segments.length)
  const to = new Uint32Array(segments.length)
  const getJunction = createJunctionNumbers()
  const cells = new EdgeCells()
  let edge = 0
  segments.forEach(({ coordinates }, segment) => {
    from[segment] = getJunction(coordinates[0] as [number, number])
    to[segment] = getJunction(coordinates.at(-1) as [number, number])
    for (let i = 1; i < coordinates.length; i++, edge++) {
      const a = coordinates[i - 1] as [number, number]
      const b = coordinates[i] as [number, number]
      const ends = { ax: plane.x(a[0]), ay: plane.y(a[1]), bx: plane.x(b[0]), by: plane.y(b[1]) }
      x0[edge] = ends.ax
      y0[edge] = ends.ay
      x1[edge] = ends.bx
      y1[edge] = ends.by
      segmentByEdge[edge] = segment
      length[segment] = (length[segment] as number) + Math.hypot(ends.bx - ends.ax, ends.by - ends.ay)
      cells.add(edge, ends)
    }
  })
  const findEdgesNear = (x: number, y: number): readonly number[] => cells.findNear(x, y)
  return { plane, segments, length, x0, y0, x1, y1, segmentByEdge, from, to, findEdgesNear }
}

/** Returns a function that numbers the ends of segments. Ends at the same place have the same number. */
function createJunctionNumbers(): (end: readonly [number, number]) => number {
  const junctions = new Map<string, number>()
  return ([lon, lat]) => {
    const key = `${Math.round(lon * 1e6)} ${Math.round(lat * 1e6)}`
    let junction = junctions.get(key)
    if (junction === undefined) junctions.set(key, (junction = junctions.size))
    return junction
  }
}

/** Numbers cells. Rows have numbers below 2^26. */
const toCellKey = (column: number, row: number): number => column * 2 ** 26 + row

class EdgeCells {
  readonly #cells = new Map<number, number[]>()
  /** The edges of a cell and its neighbors, built on first use. */
  readonly #neighborhoods = new Map<number, readonly number[]>()

  /** Adds an edge from a to b (meters on the plane). Edges must be added in the order of their numbers. */
  add(edge: number, { ax, ay, bx, by }: Record<'ax' | 'ay' | 'bx' | 'by', number>): void {
    // Sampled at half a cell: a cell cut at a corner may be missed, but its neighbors are searched, too.
    const steps = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / (cellMeters / 2)))
    let lastCell = NaN
    for (let step = 0; step <= steps; step++) {
      const cell = toCellKey(
        Math.floor((ax + ((bx - ax) * step) / steps) / cellMeters),
        Math.floor((ay + ((by - ay) * step) / steps) / cellMeters),
      )
      if (cell === lastCell) continue
      lastCell = cell
      const edges = this.#cells.get(cell)
      if (!edges) this.#cells.set(cell, [edge])
      else if (edges.at(-1) !== edge) edges.push(edge)
    }
  }

  /** Returns the edges of the cell at a position and of the neighboring cells. */
  findNear(x: number, y: number): readonly number[] {
    const column = Math.floor(x / cellMeters)
    const row = Math.floor(y / cellMeters)
    const cell = toCellKey(column, row)
    let edges = this.#neighborhoods.get(cell)
    if (!edges) {
      const nearEdges = new Set<number>()
      for (let dx = -1; dx <= 1; dx++)
        for (let dy = -1; dy <= 1; dy++)
          for (const edge of this.#cells.get(toCellKey(column + dx, row + dy)) ?? []) nearEdges.add(edge)
      edges = [...nearEdges]
      this.#neighborhoods.set(cell, edges)
    }
    return edges
  }
}
