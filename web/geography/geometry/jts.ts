import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js'
import { type Area, getPolygons, type Position } from '#contract/place.ts'

const factory = new GeometryFactory()
const toCoordinates = (positions: readonly Position[]): Coordinate[] =>
  positions.map(([x, y]) => new Coordinate(x, y))

/** Converts areas and lines in degrees to JTS geometries. */
export const toJts = {
  line: (positions: readonly Position[]): Geometry => factory.createLineString(toCoordinates(positions)),
  lines: (lines: readonly (readonly Position[])[]): Geometry => toJts.multiLine(lines.map(toJts.line)),
  multiLine: (lines: Geometry[]): Geometry => factory.createMultiLineString(lines),
  area: (area: Area): Geometry => factory.createMultiPolygon(getPolygons(area).map(toPolygon)),
}

function toPolygon(rings: readonly (readonly Position[])[]): Geometry {
  const [shell, ...holes] = rings.map((ring) => factory.createLinearRing(toCoordinates(ring)))
  return factory.createPolygon(shell ?? factory.createLinearRing([]), holes)
}

/** Returns the polygons of any JTS geometries, without lines and points; null if there are none. */
export function fromJts(...geometries: readonly Geometry[]): Area | null {
  const polygons = geometries.flatMap(toPolygons)
  const [only] = polygons
  if (!only) return null
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: polygons }
}

function toPolygons(geometry: Geometry): Position[][][] {
  if (geometry.isEmpty()) return []
  if (geometry.getNumGeometries() > 1)
    return Array.from({ length: geometry.getNumGeometries() }, (_, index) =>
      toPolygons(geometry.getGeometryN(index)),
    ).flat()
  const single = geometry.getGeometryN(0)
  // Only polygons have an exterior ring.
  if (!('getExteriorRing' in single)) return single === geometry ? [] : toPolygons(single)
  const holes = Array.from({ length: single.getNumInteriorRing() }, (_, index) =>
    getPositions(single.getInteriorRingN(index)),
  )
  return [orient([getPositions(single.getExteriorRing()), ...holes])]
}

const getPositions = (ring: Geometry): Position[] => ring.getCoordinates().map(({ x, y }): Position => [x, y])

/** Returns the ring order of GeoJSON: outlines counterclockwise, holes clockwise (RFC 7946, 3.1.6). */
const orient = (rings: Position[][]): Position[][] =>
  rings.map((ring, index) => (signedArea(ring) >= 0 === (index === 0) ? ring : ring.toReversed()))

/** Returns twice the area of a ring; positive if it is counterclockwise. */
const signedArea = (ring: readonly Position[]): number => {
  let sum = 0
  for (const [index, [x, y]] of ring.slice(1).entries()) sum += ring[index]![0] * y - x * ring[index]![1]
  return sum
}
