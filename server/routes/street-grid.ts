import { type Plane, planeAt } from './plane.ts'
import type { StreetSegment } from './street-segments.ts'

/** Streets in a grid of square cells, for lookups by place. */
export interface StreetGrid {
  plane: Plane
  segments: readonly StreetSegment[]
  /** Meters of each segment. */
  length: Float64Array
  /** The edges: ends in meters, and the segment of each. */
  x0: Float64Array
  y0: Float64Array
  x1: Float64Array
  y1: Float64Array
  segmentOf: Uint32Array
  /** Junctions at both ends of each segment. */
  from: Uint32Array
  to: Uint32Array
  /** Edges near a place: those of its cell and of the cells around. */
  edgesNear(x: number, y: number): readonly number[]
}

/** Side of a cell, meters; a street is not searched farther away than this. */
const cellMeters = 60

export function buildStreetGrid(segments: readonly StreetSegment[], lat: number): StreetGrid {
  const plane = planeAt(lat)
  const count = segments.reduce((sum, { coordinates }) => sum + coordinates.length - 1, 0)
  const [x0, y0, x1, y1] = [
    new Float64Array(count),
    new Float64Array(count),
    new Float64Array(count),
    new Float64Array(count),
  ]
  const segmentOf = new Uint32Array(count)
  const length = new Float64Array(segments.length)
  const [from, to] = [new Uint32Array(segments.length), new Uint32Array(segments.length)]
  const junctions = new Map<string, number>()
  const junctionAt = ([lon, lat]: readonly [number, number]): number => {
    const key = `${Math.round(lon * 1e6)} ${Math.round(lat * 1e6)}`
    let number = junctions.get(key)
    if (number === undefined) junctions.set(key, (number = junctions.size))
    return number
  }
  const cells = new Map<number, number[]>()
  const cellOf = (column: number, row: number): number => column * 2 ** 26 + row
  let edge = 0
  segments.forEach(({ coordinates }, segment) => {
    from[segment] = junctionAt(coordinates[0] as [number, number])
    to[segment] = junctionAt(coordinates.at(-1) as [number, number])
    for (let at = 1; at < coordinates.length; at++, edge++) {
      const [a, b] = [coordinates[at - 1] as [number, number], coordinates[at] as [number, number]]
      x0[edge] = plane.x(a[0])
      y0[edge] = plane.y(a[1])
      x1[edge] = plane.x(b[0])
      y1[edge] = plane.y(b[1])
      segmentOf[edge] = segment
      const [ax, ay, bx, by] = [
        x0[edge] as number,
        y0[edge] as number,
        x1[edge] as number,
        y1[edge] as number,
      ]
      const edgeMeters = Math.hypot(bx - ax, by - ay)
      length[segment] = (length[segment] as number) + edgeMeters
      const steps = Math.max(1, Math.ceil(edgeMeters / (cellMeters / 2)))
      let last = NaN
      for (let step = 0; step <= steps; step++) {
        const cell = cellOf(
          Math.floor((ax + ((bx - ax) * step) / steps) / cellMeters),
          Math.floor((ay + ((by - ay) * step) / steps) / cellMeters),
        )
        if (cell === last) continue
        last = cell
        const there = cells.get(cell)
        if (!there) cells.set(cell, [edge])
        else if (there.at(-1) !== edge) there.push(edge)
      }
    }
  })
  // The lists of a cell and its neighbors, built on first use.
  const around = new Map<number, readonly number[]>()
  const near = (x: number, y: number): readonly number[] => {
    const [column, row] = [Math.floor(x / cellMeters), Math.floor(y / cellMeters)]
    const cell = cellOf(column, row)
    let found = around.get(cell)
    if (!found) {
      const all = new Set<number>()
      for (let dx = -1; dx <= 1; dx++)
        for (let dy = -1; dy <= 1; dy++)
          for (const each of cells.get(cellOf(column + dx, row + dy)) ?? []) all.add(each)
      found = [...all]
      around.set(cell, found)
    }
    return found
  }
  return { plane, segments, length, x0, y0, x1, y1, segmentOf, from, to, edgesNear: near }
}
