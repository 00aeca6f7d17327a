import type { Position } from 'geojson'

/** WGS 84. */
const E2 = 0.00669437999014
const E = Math.sqrt(E2)
const POLAR_Q = authalic(1)
/** Squared radius in m² of the sphere with the area of the ellipsoid. */
const RADIUS2 = (6378137 ** 2 * POLAR_Q) / 2
const RADIANS = Math.PI / 180

/**
 * Area of a ring on the WGS 84 ellipsoid in m², positive counter-clockwise, by equal-area latitudes (Snyder, Map Projections, 1987, p. 16).
 * Edges are taken straight on the equal-area cylinder, which for edges of some km differs from any other line by less than 1 part in 10⁶.
 */
export function ringArea(ring: readonly Position[]): number {
  const [, firstLat = 0] = ring[0] ?? []
  const base = authalic(Math.sin(firstLat * RADIANS))
  let sum = 0
  for (let index = 0; index < ring.length; index += 1) {
    const [ax = 0, ay = 0] = ring[index] ?? []
    const [bx = 0, by = 0] = ring[(index + 1) % ring.length] ?? []
    sum -=
      (bx - ax) * RADIANS * (authalic(Math.sin(ay * RADIANS)) + authalic(Math.sin(by * RADIANS)) - 2 * base)
  }
  return (sum / 2 / POLAR_Q) * RADIUS2
}

function authalic(sine: number): number {
  return (1 - E2) * (sine / (1 - E2 * sine * sine) - Math.log((1 - E * sine) / (1 + E * sine)) / (2 * E))
}

/** Outer rings counter-clockwise, holes clockwise (RFC 7946, 3.1.6). Rings that run right already come back as the same arrays. */
export function orientRings(polygons: Position[][][]): Position[][][] {
  let turned = false
  const oriented = polygons.map((rings) =>
    rings.map((ring, index) => {
      const area = ringArea(ring)
      if (area === 0 || area > 0 === (index === 0)) return ring
      turned = true
      return ring.toReversed()
    }),
  )
  return turned ? oriented : polygons
}
