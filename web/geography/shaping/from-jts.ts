import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import type { Area, Position } from '#contract/place.ts'

/** The polygons of any JTS geometry, lines and points left out; null where there are none. */
export function fromJts(...geometries: readonly Geometry[]): Area | null {
  const polygons = geometries.flatMap(polygonsIn)
  const [only] = polygons
  if (!only) return null
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: polygons }
}

function polygonsIn(geometry: Geometry): Position[][][] {
  if (geometry.isEmpty()) return []
  if (geometry.getNumGeometries() > 1)
    return Array.from({ length: geometry.getNumGeometries() }, (_, at) =>
      polygonsIn(geometry.getGeometryN(at)),
    ).flat()
  const one = geometry.getGeometryN(0)
  // Only polygons have an outline.
  if (!('getExteriorRing' in one)) return one === geometry ? [] : polygonsIn(one)
  const holes = Array.from({ length: one.getNumInteriorRing() }, (_, at) =>
    positions(one.getInteriorRingN(at)),
  )
  return [turned([positions(one.getExteriorRing()), ...holes])]
}

const positions = (ring: Geometry): Position[] => ring.getCoordinates().map(({ x, y }): Position => [x, y])

/** GeoJSON's way round: outlines against the clock, holes with it (RFC 7946, 3.1.6). */
const turned = (rings: Position[][]): Position[][] =>
  rings.map((ring, at) => (signed(ring) >= 0 === (at === 0) ? ring : ring.toReversed()))

const signed = (ring: readonly Position[]): number => {
  let sum = 0
  for (let at = 0; at + 1 < ring.length; at++)
    sum += ring[at]![0] * ring[at + 1]![1] - ring[at + 1]![0] * ring[at]![1]
  return sum
}
