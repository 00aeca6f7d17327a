import type { Position } from 'geojson'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js'
import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import CoordinateArraySequence from 'jsts/org/locationtech/jts/geom/impl/CoordinateArraySequence.js'
import CoordinateArraySequenceFactory from 'jsts/org/locationtech/jts/geom/impl/CoordinateArraySequenceFactory.js'

/**
 * Creates two-dimensional sequences. Detecting the dimension of each position would take jsts as long as
 * testing the geometry.
 */
class FlatSequences extends CoordinateArraySequenceFactory {
  override create(coordinates: Coordinate[], ...rest: unknown[]): CoordinateArraySequence {
    return Array.isArray(coordinates)
      ? new CoordinateArraySequence(coordinates, 2, 0)
      : super.create(coordinates, ...rest)
  }
}

const factory = new GeometryFactory(new FlatSequences())

/** Converts GeoJSON coordinates, in any unit, to JTS geometries. Rings must be closed. */
export const toJts = {
  factory,
  coordinates: (positions: readonly Position[]): Coordinate[] =>
    positions.map(([x = 0, y = 0]) => new Coordinate(x, y)),
  line: (positions: readonly Position[]): Geometry => factory.createLineString(toJts.coordinates(positions)),
  polygon(rings: readonly (readonly Position[])[]): Geometry {
    const [shell, ...holes] = rings.map((ring) => factory.createLinearRing(toJts.coordinates(ring)))
    return factory.createPolygon(shell ?? factory.createLinearRing([]), holes)
  },
  multiPolygon: (polygons: readonly Position[][][]): Geometry =>
    factory.createMultiPolygon(polygons.map((rings) => toJts.polygon(rings))),
}

/** Converts the polygons of a JTS geometry to GeoJSON coordinates. Empty ones are omitted. */
export function convertFromJts(geometry: Geometry): Position[][][] {
  const polygons: Position[][][] = []
  for (let index = 0; index < geometry.getNumGeometries(); index += 1) {
    const polygon = geometry.getGeometryN(index)
    if (polygon.isEmpty()) continue
    const rings = [getPositions(polygon.getExteriorRing())]
    for (let hole = 0; hole < polygon.getNumInteriorRing(); hole += 1)
      rings.push(getPositions(polygon.getInteriorRingN(hole)))
    polygons.push(rings)
  }
  return polygons
}

function getPositions(ring: Geometry): Position[] {
  return ring.getCoordinates().map(({ x, y }) => [x, y])
}
