import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js'
import { polygonsOf, type Area, type Position } from '#contract/place.ts'

const factory = new GeometryFactory()
const coordinates = (positions: readonly Position[]): Coordinate[] =>
  positions.map(([x, y]) => new Coordinate(x, y))

/** Areas and lines in degrees as JTS geometries. */
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
