import type { Position } from 'geojson'

/** Squared eccentricity of WGS 84. */
const eccentricity2 = 0.00669437999014
const eccentricity = Math.sqrt(eccentricity2)
const polarQ = computeAuthalicQ(1)
/** Squared radius (m²) of the sphere with the same area as the ellipsoid. */
const radius2 = (6378137 ** 2 * polarQ) / 2
const radians = Math.PI / 180

/**
 * Returns the area of a ring on the WGS 84 ellipsoid in m², positive if counterclockwise, from authalic
 * latitudes (Snyder, Map Projections, 1987, p. 16). Edges are straight on the equal-area cylinder, which
 * changes the area by less than 1 part in 10⁶ for edges of a few kilometers.
 */
export function getRingArea(ring: readonly Position[]): number {
  const [, firstLat = 0] = ring[0] ?? []
  // Relative to the first corner, because small differences of large numbers lose precision.
  const firstQ = computeAuthalicQ(Math.sin(firstLat * radians))
  let sum = 0
  for (let index = 0; index < ring.length; index += 1) {
    const [ax = 0, ay = 0] = ring[index] ?? []
    const [bx = 0, by = 0] = ring[(index + 1) % ring.length] ?? []
    sum -=
      (bx - ax) *
      radians *
      (computeAuthalicQ(Math.sin(ay * radians)) + computeAuthalicQ(Math.sin(by * radians)) - 2 * firstQ)
  }
  return (sum / 2 / polarQ) * radius2
}

/** Snyder's q of the latitude with this sine. */
function computeAuthalicQ(sine: number): number {
  return (
    (1 - eccentricity2) *
    (sine / (1 - eccentricity2 * sine * sine) -
      Math.log((1 - eccentricity * sine) / (1 + eccentricity * sine)) / (2 * eccentricity))
  )
}

/**
 * Orients outer rings counterclockwise and holes clockwise (RFC 7946, 3.1.6). Returns the same arrays if they
 * already are.
 */
export function orientRings(polygons: Position[][][]): Position[][][] {
  let hasReversed = false
  const oriented = polygons.map((rings) =>
    rings.map((ring, index) => {
      const area = getRingArea(ring)
      if (area === 0 || area > 0 === (index === 0)) return ring
      hasReversed = true
      return ring.toReversed()
    }),
  )
  return hasReversed ? oriented : polygons
}
