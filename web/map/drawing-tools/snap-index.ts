import type { Geometry, Position } from '#contract/place.ts'

interface Pixel {
  x: number
  y: number
}

/** Snap radius in pixels. */
export const snapRadiusPx = 12

type Nested = Position | readonly Nested[]

/** Corners and edges of many shapes, queried with every pointer move. */
export class SnapIndex {
  /** Edges as x1, y1, x2, y2 in degrees; a point is an edge without length. */
  readonly #edges: Float64Array

  constructor(geometries: readonly Geometry[]) {
    const edges: number[] = []
    for (const geometry of geometries) collectEdges(geometry.coordinates, edges)
    this.#edges = Float64Array.from(edges)
  }

  get size(): number {
    return this.#edges.length / 4
  }

  /** Returns the nearest corner, else the nearest position on an edge; null if none is in the snap radius. */
  findNearest(
    pointerPosition: Position,
    project: (lon: number, lat: number) => Pixel,
    isExcluded: (corner: Position) => boolean = () => false,
  ): { place: Position; isCorner: boolean } | null {
    const [lon, lat] = pointerPosition
    const pointer = project(lon, lat)
    // The snap radius in degrees, measured on 0.001 degrees to the east and north, plus 10% to be safe.
    const east = project(lon + 0.001, lat)
    const north = project(lon, lat + 0.001)
    const boundX =
      (0.0011 * snapRadiusPx) / Math.max(1e-9, Math.hypot(east.x - pointer.x, east.y - pointer.y))
    const boundY =
      (0.0011 * snapRadiusPx) / Math.max(1e-9, Math.hypot(north.x - pointer.x, north.y - pointer.y))
    let corner: { place: Position; distance: number } | null = null
    let edge: { place: Position; distance: number } | null = null
    const edges = this.#edges
    for (let i = 0; i < edges.length; i += 4) {
      const x1 = edges[i]!
      const y1 = edges[i + 1]!
      const x2 = edges[i + 2]!
      const y2 = edges[i + 3]!
      if (
        Math.max(x1, x2) < lon - boundX ||
        Math.min(x1, x2) > lon + boundX ||
        Math.max(y1, y2) < lat - boundY ||
        Math.min(y1, y2) > lat + boundY
      )
        continue
      const from = project(x1, y1)
      const to = project(x2, y2)
      for (const [end, pixel] of [
        [[x1, y1], from],
        [[x2, y2], to],
      ] as [Position, Pixel][]) {
        const distance = Math.hypot(pixel.x - pointer.x, pixel.y - pointer.y)
        if (distance <= snapRadiusPx && distance < (corner?.distance ?? Infinity) && !isExcluded(end))
          corner = { place: end, distance }
      }
      const fraction = fractionAlong(pointer, from, to)
      const distance = Math.hypot(
        from.x + fraction * (to.x - from.x) - pointer.x,
        from.y + fraction * (to.y - from.y) - pointer.y,
      )
      if (distance <= snapRadiusPx && distance < (edge?.distance ?? Infinity))
        edge = { place: [x1 + fraction * (x2 - x1), y1 + fraction * (y2 - y1)], distance }
    }
    return corner ? { place: corner.place, isCorner: true } : edge && { place: edge.place, isCorner: false }
  }
}

/** Returns the fraction along an edge, 0 to 1, of the position nearest to the pointer. */
function fractionAlong(pointer: Pixel, from: Pixel, to: Pixel): number {
  const dx = to.x - from.x
  const dy = to.y - from.y
  const squaredLength = dx * dx + dy * dy
  if (squaredLength === 0) return 0
  return Math.max(0, Math.min(1, ((pointer.x - from.x) * dx + (pointer.y - from.y) * dy) / squaredLength))
}

const isPosition = (nested: Nested): nested is Position => typeof nested[0] === 'number'

function collectEdges(nested: Nested, edges: number[]): void {
  if (isPosition(nested)) return void edges.push(nested[0], nested[1], nested[0], nested[1])
  const line = nested as readonly Nested[]
  if (line.length > 1 && line.every(isPosition)) {
    for (let i = 0; i + 1 < line.length; i++) edges.push(...line[i]!, ...line[i + 1]!)
  } else for (const part of line) collectEdges(part, edges)
}
