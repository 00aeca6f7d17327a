import type { Geometry, Position } from '#contract/place.ts'

interface Pixel {
  x: number
  y: number
}

/** Pixels within which a pointer snaps. */
export const snapRadiusPx = 12

type Nested = Position | readonly Nested[]

/** Corners and edges of many shapes, asked with every move of the pointer. */
export class SnapIndex {
  /** Edges as x1, y1, x2, y2 in degrees; a single point is an edge without length. */
  readonly #edges: Float64Array

  constructor(geometries: readonly Geometry[]) {
    const edges: number[] = []
    for (const geometry of geometries) collectEdges(geometry.coordinates, edges)
    this.#edges = Float64Array.from(edges)
  }

  get size(): number {
    return this.#edges.length / 4
  }

  /** The corner next to a place, else the place on an edge next to it; null where nothing is within reach. */
  findNearest(
    place: Position,
    project: (lon: number, lat: number) => Pixel,
    except: (corner: Position) => boolean = () => false,
  ): { place: Position; isCorner: boolean } | null {
    const here = project(place[0], place[1])
    const east = project(place[0] + 0.001, place[1])
    const north = project(place[0], place[1] + 0.001)
    // Degrees that certainly hold the reach.
    const [reachX, reachY] = [
      (0.0011 * snapRadiusPx) / Math.max(1e-9, Math.hypot(east.x - here.x, east.y - here.y)),
      (0.0011 * snapRadiusPx) / Math.max(1e-9, Math.hypot(north.x - here.x, north.y - here.y)),
    ]
    let corner: { place: Position; far: number } | null = null
    let edge: { place: Position; far: number } | null = null
    const edges = this.#edges
    for (let at = 0; at < edges.length; at += 4) {
      const [x1, y1, x2, y2] = [edges[at]!, edges[at + 1]!, edges[at + 2]!, edges[at + 3]!]
      if (
        Math.max(x1, x2) < place[0] - reachX ||
        Math.min(x1, x2) > place[0] + reachX ||
        Math.max(y1, y2) < place[1] - reachY ||
        Math.min(y1, y2) > place[1] + reachY
      )
        continue
      const [from, to] = [project(x1, y1), project(x2, y2)]
      for (const [end, pixel] of [
        [[x1, y1], from],
        [[x2, y2], to],
      ] as [Position, Pixel][]) {
        const far = Math.hypot(pixel.x - here.x, pixel.y - here.y)
        if (far <= snapRadiusPx && far < (corner?.far ?? Infinity) && !except(end))
          corner = { place: end, far }
      }
      const share = shareAlong(here, from, to)
      const far = Math.hypot(
        from.x + share * (to.x - from.x) - here.x,
        from.y + share * (to.y - from.y) - here.y,
      )
      if (far <= snapRadiusPx && far < (edge?.far ?? Infinity))
        edge = { place: [x1 + share * (x2 - x1), y1 + share * (y2 - y1)], far }
    }
    return corner ? { place: corner.place, isCorner: true } : edge && { place: edge.place, isCorner: false }
  }
}

/** How far along an edge the place next to `here` is, 0 to 1. */
function shareAlong(here: Pixel, from: Pixel, to: Pixel): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  return length === 0
    ? 0
    : Math.max(0, Math.min(1, ((here.x - from.x) * dx + (here.y - from.y) * dy) / length))
}

const isPosition = (nested: Nested): nested is Position => typeof nested[0] === 'number'

function collectEdges(nested: Nested, edges: number[]): void {
  if (isPosition(nested)) return void edges.push(nested[0], nested[1], nested[0], nested[1])
  const line = nested as readonly Nested[]
  if (line.length > 1 && line.every(isPosition)) {
    for (let at = 0; at + 1 < line.length; at++) edges.push(...line[at]!, ...line[at + 1]!)
  } else for (const part of line) collectEdges(part, edges)
}
