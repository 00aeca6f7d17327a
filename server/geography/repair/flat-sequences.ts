import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import CoordinateArraySequence from 'jsts/org/locationtech/jts/geom/impl/CoordinateArraySequence.js'
import CoordinateArraySequenceFactory from 'jsts/org/locationtech/jts/geom/impl/CoordinateArraySequenceFactory.js'

/** Tells jsts that positions are flat. Finding out by itself, position by position, takes it as long as testing the geometry. */
export class FlatSequences extends CoordinateArraySequenceFactory {
  override create(coordinates: Coordinate[], ...rest: unknown[]): CoordinateArraySequence {
    return Array.isArray(coordinates)
      ? new CoordinateArraySequence(coordinates, 2, 0)
      : super.create(coordinates, ...rest)
  }
}
