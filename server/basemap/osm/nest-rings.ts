import type { Position } from '#contract/place.ts'

interface Ring {
  points: Position[]
  /** In square degrees. */
  area: number
  west: number
  south: number
  east: number
  north: number
}

/**
 * Builds polygons from rings by their nesting: a ring inside one other is a hole, a ring inside two is an
 * island. The ways' own roles (outer, inner) are ignored because they are often wrong.
 */
export function nestRings(rings: readonly Position[][]): Position[][][] {
  const sortedRings = rings
    .map(measureRing)
    .filter(({ area }) => area > 0)
    .sort((a, b) => b.area - a.area)
  const polygons: { ring: Ring; holes: Position[][] }[] = []
  const outerByRing = new Map<Ring, { ring: Ring; holes: Position[][] }>()
  // By descending area, so that the rings around a ring come before it, the innermost of them last.
  for (const [index, ring] of sortedRings.entries()) {
    const enclosingRings = sortedRings.slice(0, index).filter((outerRing) => surrounds(outerRing, ring))
    if (enclosingRings.length % 2 === 0) {
      const polygon = { ring, holes: [] }
      polygons.push(polygon)
      outerByRing.set(ring, polygon)
      continue
    }
    const innermost = enclosingRings.findLast((outerRing) => outerByRing.has(outerRing))
    if (innermost) outerByRing.get(innermost)?.holes.push(ring.points)
  }
  return polygons.map(({ ring, holes }) => [ring.points, ...holes])
}

/** Measures a ring's area, by the shoelace formula, and bounding box. */
function measureRing(points: Position[]): Ring {
  let west = Infinity
  let south = Infinity
  let east = -Infinity
  let north = -Infinity
  let doubleArea = 0
  const [x0, y0] = points[0]!
  points.forEach(([x, y], index) => {
    const [nx, ny] = points[(index + 1) % points.length]!
    // Relative to the first corner: products of large coordinates would lose the digits of a small area.
    doubleArea += (x - x0) * (ny - y0) - (nx - x0) * (y - y0)
    west = Math.min(west, x)
    south = Math.min(south, y)
    east = Math.max(east, x)
    north = Math.max(north, y)
  })
  return { points, area: Math.abs(doubleArea) / 2, west, south, east, north }
}

/** Decides by most midpoints of about nine edges: rings may touch, so a single point may be on the border. */
function surrounds(outer: Ring, inner: Ring): boolean {
  if (
    inner.west < outer.west ||
    inner.south < outer.south ||
    inner.east > outer.east ||
    inner.north > outer.north
  )
    return false
  const step = Math.max(1, Math.floor((inner.points.length - 1) / 9))
  let insideCount = 0
  let testedCount = 0
  for (let index = 0; index + 1 < inner.points.length; index += step) {
    const [ax, ay] = inner.points[index]!
    const [bx, by] = inner.points[index + 1]!
    insideCount += contains(outer.points, (ax + bx) / 2, (ay + by) / 2) ? 1 : 0
    testedCount++
  }
  return insideCount * 2 > testedCount
}

/** Ray casting: a point is inside if a ray from it crosses the ring an odd number of times. */
function contains(ring: readonly Position[], x: number, y: number): boolean {
  let isInside = false
  for (let index = 0; index + 1 < ring.length; index++) {
    const [ax, ay] = ring[index]!
    const [bx, by] = ring[index + 1]!
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside
  }
  return isInside
}
