import type { Position } from 'geojson'

/** Each limit is about a second of work. Drawn borders need a few pairs, and two or three cells per edge. */
const maxPairs = 60_000_000
/** Maximum number of edges in cells, each edge counted once per cell. */
const maxEntries = 5_000_000

/**
 * Visits the pairs of edges that may meet: those in the same cell of a grid with about as many cells as
 * edges. A pair may be visited more than once.
 * @param edges x1, y1, x2, y2 of each edge.
 * @throws TangledError if there are more pairs than drawn shapes have.
 */
export function findEdgePairs(edges: Float64Array, visit: (a: number, b: number) => void): void {
  const count = edges.length / 4
  const getCoordinate = (index: number): number => edges[index] ?? 0
  let west = Infinity
  let south = Infinity
  let east = -Infinity
  let north = -Infinity
  for (let index = 0; index < edges.length; index += 2) {
    west = Math.min(west, getCoordinate(index))
    east = Math.max(east, getCoordinate(index))
    south = Math.min(south, getCoordinate(index + 1))
    north = Math.max(north, getCoordinate(index + 1))
  }
  const span = Math.max(east - west, north - south)
  const size = Math.max(span / Math.sqrt(count), Number.MIN_VALUE)
  const columns = Math.floor((east - west) / size) + 1
  const cells = new Map<number, number[]>()
  let entries = 0
  for (let edge = 0; edge < count; edge += 1) {
    const offset = 4 * edge
    const ends: EdgeEnds = {
      x1: getCoordinate(offset),
      y1: getCoordinate(offset + 1),
      x2: getCoordinate(offset + 2),
      y2: getCoordinate(offset + 3),
    }
    const lowRow = Math.floor((Math.min(ends.y1, ends.y2) - south) / size)
    const highRow = Math.floor((Math.max(ends.y1, ends.y2) - south) / size)
    for (let row = lowRow; row <= highRow; row += 1) {
      const [low, high] = findRangeInBand(ends, south + row * size, south + (row + 1) * size)
      // Slightly wider on both sides, so that rounding never loses a cell.
      const first = Math.max(0, Math.floor((low - west) / size - 1e-6))
      const last = Math.min(columns - 1, Math.floor((high - west) / size + 1e-6))
      entries += last - first + 1
      if (entries > maxEntries) throw new TangledError()
      for (let column = first; column <= last; column += 1) {
        const cell = cells.get(row * columns + column)
        if (cell === undefined) cells.set(row * columns + column, [edge])
        else cell.push(edge)
      }
    }
  }
  visitPairs(cells, visit)
}

function visitPairs(cells: Map<number, number[]>, visit: (a: number, b: number) => void): void {
  let pairs = 0
  for (const cell of cells.values()) {
    pairs += (cell.length * (cell.length - 1)) / 2
    if (pairs > maxPairs) throw new TangledError()
    for (let first = 0; first < cell.length; first += 1) {
      for (let second = first + 1; second < cell.length; second += 1)
        visit(cell[first] ?? 0, cell[second] ?? 0)
    }
  }
}

interface EdgeEnds {
  x1: number
  y1: number
  x2: number
  y2: number
}

/** Returns the range of x of the part of an edge within a range of y. */
function findRangeInBand({ x1, y1, x2, y2 }: EdgeEnds, low: number, high: number): [number, number] {
  if (Math.abs(y2 - y1) <= high - low) return x1 < x2 ? [x1, x2] : [x2, x1]
  const computeX = (y: number): number => {
    const yOnEdge = Math.min(Math.max(y, Math.min(y1, y2)), Math.max(y1, y2))
    return x1 + ((x2 - x1) * (yOnEdge - y1)) / (y2 - y1)
  }
  const lowX = computeX(low)
  const highX = computeX(high)
  return lowX < highX ? [lowX, highX] : [highX, lowX]
}

/** Returns the edges of lines, as x1, y1, x2, y2 of each. */
export function flattenEdges(lines: readonly (readonly Position[])[]): Float64Array {
  const edges = new Float64Array(4 * lines.reduce((sum, line) => sum + Math.max(0, line.length - 1), 0))
  let offset = 0
  for (const line of lines) {
    for (let index = 0; index + 1 < line.length; index += 1) {
      edges[offset] = line[index]?.[0] ?? 0
      edges[offset + 1] = line[index]?.[1] ?? 0
      edges[offset + 2] = line[index + 1]?.[0] ?? 0
      edges[offset + 3] = line[index + 1]?.[1] ?? 0
      offset += 4
    }
  }
  return edges
}

/** Thrown if borders cross more often than those of drawn shapes, because their repair would take minutes. */
export class TangledError extends Error {
  constructor() {
    super('borders cross too often')
    this.name = 'TangledError'
  }
}
