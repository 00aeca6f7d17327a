import type { Position } from '#contract/place.ts'

interface Ring {
  points: Position[]
  area: number
  west: number
  south: number
  east: number
  north: number
}

/** Polygons from rings by their nesting: a ring inside another is a hole, inside two an island. The roles of ways (outer, inner) are often wrong. */
export function nestRings(rings: readonly Position[][]): Position[][][] {
  const sorted = rings
    .map(measured)
    .filter(({ area }) => area > 0)
    .sort((a, b) => b.area - a.area)
  const polygons: { ring: Ring; holes: Position[][] }[] = []
  const outerOf = new Map<Ring, { ring: Ring; holes: Position[][] }>()
  for (const [at, ring] of sorted.entries()) {
    const around = sorted.slice(0, at).filter((other) => surrounds(other, ring))
    if (around.length % 2 === 0) {
      const polygon = { ring, holes: [] }
      polygons.push(polygon)
      outerOf.set(ring, polygon)
    } else outerOf.get(around.findLast((other) => outerOf.has(other)) ?? ring)?.holes.push(ring.points)
  }
  return polygons.map(({ ring, holes }) => [ring.points, ...holes])
}

function measured(points: Position[]): Ring {
  let [west, south, east, north, twice] = [Infinity, Infinity, -Infinity, -Infinity, 0]
  const [x0, y0] = points[0]!
  points.forEach(([x, y], at) => {
    const [nx, ny] = points[(at + 1) % points.length]!
    // Relative to the first corner: far from the origin, the products would lose the area of a small ring.
    twice += (x - x0) * (ny - y0) - (nx - x0) * (y - y0)
    west = Math.min(west, x)
    south = Math.min(south, y)
    east = Math.max(east, x)
    north = Math.max(north, y)
  })
  return { points, area: Math.abs(twice) / 2, west, south, east, north }
}

/** By the majority of the midpoints of up to nine edges: rings may touch. */
function surrounds(outer: Ring, inner: Ring): boolean {
  if (
    inner.west < outer.west ||
    inner.south < outer.south ||
    inner.east > outer.east ||
    inner.north > outer.north
  )
    return false
  const step = Math.max(1, Math.floor((inner.points.length - 1) / 9))
  let [inside, tried] = [0, 0]
  for (let at = 0; at + 1 < inner.points.length; at += step) {
    const [[ax, ay], [bx, by]] = [inner.points[at]!, inner.points[at + 1]!]
    inside += contains(outer.points, (ax + bx) / 2, (ay + by) / 2) ? 1 : 0
    tried++
  }
  return inside * 2 > tried
}

function contains(ring: readonly Position[], x: number, y: number): boolean {
  let isInside = false
  for (let at = 0; at + 1 < ring.length; at++) {
    const [[ax, ay], [bx, by]] = [ring[at]!, ring[at + 1]!]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside
  }
  return isInside
}
