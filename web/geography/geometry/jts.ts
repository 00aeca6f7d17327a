import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js'
import { type Area, polygonsOf, type Position } from '#contract/place.ts'

const factory = new GeometryFactory()
const coordinates = (positions: readonly Position[]): Coordinate[] =>
  positions.map(([x, y]) => new Coordinate(x, y))

/** Converts areas and lines in degrees to JTS geometries. */
export const toJts = {
  line: (positions: readonly Position[]): Geometry => factory.createLineString(coordinates(positions)),
  lines: (lines: readonly (readonly Position[])[]): Geometry => toJts.together(lines.map(toJts.line)),
  together: (lines: Geometry[]): Geometry => factory.createMultiLineString(lines),
  area: (area: Area): Geometry => factory.createMultiPolygon(polygonsOf(area).map(polygon)),
}

function polygon(rings: readonly (readonly Position[])[]): Geometry {
  const [shell, ...holes] = rings.map((ring) => factory.createLinearRing(coordinates(ring)))
  return factory.createPolygon(shell ?? factory.createLinearRing([]), holes)
}

/** The polygons of any JTS geometries, without lines and points; null if there are none. */
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
  // Only polygons have an exterior ring.
  if (!('getExteriorRing' in one)) return one === geometry ? [] : polygonsIn(one)
  const holes = Array.from({ length: one.getNumInteriorRing() }, (_, at) =>
    positions(one.getInteriorRingN(at)),
  )
  return [turned([positions(one.getExteriorRing()), ...holes])]
}

const positions = (ring: Geometry): Position[] => ring.getCoordinates().map(({ x, y }): Position => [x, y])

/** The ring order of GeoJSON: outlines counterclockwise, holes clockwise (RFC 7946, 3.1.6). */
const turned = (rings: Position[][]): Position[][] =>
  rings.map((ring, at) => (signed(ring) >= 0 === (at === 0) ? ring : ring.toReversed()))

const signed = (ring: readonly Position[]): number => {
  let sum = 0
  for (let at = 0; at + 1 < ring.length; at++)
    sum += ring[at]![0] * ring[at + 1]![1] - ring[at + 1]![0] * ring[at]![1]
  return sum
}
