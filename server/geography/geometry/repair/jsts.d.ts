/* The parts of jsts 2.12 (JTS Topology Suite) that are used here. Its own declarations use `any` throughout. */

declare module 'jsts/org/locationtech/jts/geom/Coordinate.js' {
  export default class Coordinate {
    constructor(x: number, y: number)
    x: number
    y: number
  }
}

declare module 'jsts/org/locationtech/jts/geom/Geometry.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  import type Envelope from 'jsts/org/locationtech/jts/geom/Envelope.js'
  /** One interface for all kinds; each has only the methods of its kind. */
  export default interface Geometry {
    getCoordinates(): Coordinate[]
    getEnvelopeInternal(): Envelope
    getNumGeometries(): number
    getGeometryN(index: number): Geometry
    getExteriorRing(): Geometry
    getInteriorRingN(index: number): Geometry
    getNumInteriorRing(): number
    isEmpty(): boolean
  }
}

declare module 'jsts/org/locationtech/jts/geom/Envelope.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  export default interface Envelope {
    contains(point: Coordinate): boolean
    getMinX(): number
    getMaxX(): number
    getMinY(): number
    getMaxY(): number
  }
}

declare module 'jsts/org/locationtech/jts/geom/impl/CoordinateArraySequence.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  export default class CoordinateArraySequence {
    constructor(coordinates: Coordinate[], dimension: 2, measures: 0)
  }
}

declare module 'jsts/org/locationtech/jts/geom/impl/CoordinateArraySequenceFactory.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  import type CoordinateArraySequence from 'jsts/org/locationtech/jts/geom/impl/CoordinateArraySequence.js'
  export default class CoordinateArraySequenceFactory {
    /** jsts also calls it with other arguments, which must be passed on. */
    create(coordinates: Coordinate[], ...rest: unknown[]): CoordinateArraySequence
  }
}

declare module 'jsts/org/locationtech/jts/geom/GeometryFactory.js' {
  import type CoordinateArraySequenceFactory from 'jsts/org/locationtech/jts/geom/impl/CoordinateArraySequenceFactory.js'
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class GeometryFactory {
    constructor(sequences: CoordinateArraySequenceFactory)
    createLinearRing(coordinates: Coordinate[]): Geometry
    createLineString(coordinates: Coordinate[]): Geometry
    createPoint(coordinate: Coordinate): Geometry
    createPolygon(shell: Geometry, holes: Geometry[]): Geometry
    createMultiPolygon(polygons: Geometry[]): Geometry
    createGeometryCollection(geometries: Geometry[]): Geometry
  }
}

declare module 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class IsValidOp {
    constructor(geometry: Geometry)
    isValid(): boolean
    checkShellsNotNested(area: Geometry, graph: unknown): void
    checkConnectedInteriors(graph: unknown): void
    /** `graph` is only passed on. */
    checkShellNotNested(shell: Geometry, polygon: Geometry, graph: unknown): void
  }
}

declare module 'jsts/org/locationtech/jts/operation/buffer/BufferParameters.js' {
  export default class BufferParameters {
    setQuadrantSegments(segments: number): void
    setSimplifyFactor(factor: number): void
  }
}

declare module 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  import type BufferParameters from 'jsts/org/locationtech/jts/operation/buffer/BufferParameters.js'
  export default class BufferOp {
    static bufferOp(geometry: Geometry, distance: number, parameters: BufferParameters): Geometry
  }
}

declare module 'jsts/org/locationtech/jts/operation/polygonize/Polygonizer.js' {
  import type ArrayList from 'jsts/java/util/ArrayList.js'
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class Polygonizer {
    add(line: Geometry): void
    setCheckRingsValid(check: boolean): void
    getPolygons(): ArrayList<Geometry>
  }
}

declare module 'jsts/java/util/ArrayList.js' {
  export default class ArrayList<Item> {
    toArray(): Item[]
  }
}

declare module 'jsts/org/locationtech/jts/algorithm/RobustLineIntersector.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  export default class RobustLineIntersector {
    computeIntersection(a: Coordinate, b: Coordinate, c: Coordinate, d: Coordinate): void
    getIntersectionNum(): number
    getIntersection(index: number): Coordinate
  }
}

declare module 'jsts/org/locationtech/jts/algorithm/locate/IndexedPointInAreaLocator.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class IndexedPointInAreaLocator {
    constructor(area: Geometry)
    /** 0 inside, 1 on the border, 2 outside (JTS Location). */
    locate(point: Coordinate): number
  }
}

declare module 'jsts/org/locationtech/jts/operation/relate/RelateOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class RelateOp {
    static intersects(a: Geometry, b: Geometry): boolean
    /** The DE-9IM matrix of two geometries. */
    static relate(a: Geometry, b: Geometry): { matches(pattern: string): boolean }
  }
}
