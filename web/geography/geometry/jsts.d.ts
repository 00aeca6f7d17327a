/*
 * The part of jsts 2.12 (JTS Topology Suite) that the editor uses. Its own declarations are `any` throughout.
 */

declare module 'jsts/org/locationtech/jts/geom/Coordinate.js' {
  export default class Coordinate {
    constructor(x: number, y: number)
    x: number
    y: number
  }
}

declare module 'jsts/org/locationtech/jts/geom/Geometry.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  /** One interface for all geometry types; each instance has only the methods of its own type. */
  export default interface Geometry {
    getCoordinates(): Coordinate[]
    getNumGeometries(): number
    getGeometryN(index: number): Geometry
    getExteriorRing(): Geometry
    getInteriorRingN(index: number): Geometry
    getNumInteriorRing(): number
    getArea(): number
    isEmpty(): boolean
  }
}

declare module 'jsts/java/util/Arrays.js' {
  export interface List<Item> {
    toArray(): Item[]
  }
  export default class Arrays {
    static asList<Item>(items: Item[]): List<Item>
  }
}

declare module 'jsts/org/locationtech/jts/geom/PrecisionModel.js' {
  export default class PrecisionModel {
    /** Grid cells per unit: 1000 retains three decimals. */
    constructor(scale: number)
  }
}

declare module 'jsts/org/locationtech/jts/noding/snapround/GeometryNoder.js' {
  import type { List } from 'jsts/java/util/Arrays.js'
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  import type PrecisionModel from 'jsts/org/locationtech/jts/geom/PrecisionModel.js'
  export default class GeometryNoder {
    constructor(grid: PrecisionModel)
    node(lines: List<Geometry>): List<Geometry>
  }
}

declare module 'jsts/org/locationtech/jts/geom/GeometryFactory.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class GeometryFactory {
    createLinearRing(coordinates: Coordinate[]): Geometry
    createLineString(coordinates: Coordinate[]): Geometry
    createMultiLineString(lines: Geometry[]): Geometry
    createPolygon(shell: Geometry, holes: Geometry[]): Geometry
    createMultiPolygon(polygons: Geometry[]): Geometry
  }
}

declare module 'jsts/org/locationtech/jts/operation/overlay/OverlayOp.js' {
  export default class OverlayOp {
    static UNION: number
    static DIFFERENCE: number
  }
}

declare module 'jsts/org/locationtech/jts/operation/overlay/snap/SnapIfNeededOverlayOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class SnapIfNeededOverlayOp {
    static overlayOp(a: Geometry, b: Geometry, operation: number): Geometry
  }
}

declare module 'jsts/org/locationtech/jts/operation/union/UnaryUnionOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class UnaryUnionOp {
    static union(geometry: Geometry): Geometry
  }
}

declare module 'jsts/org/locationtech/jts/operation/polygonize/Polygonizer.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class Polygonizer {
    add(line: Geometry): void
    getPolygons(): { toArray(): Geometry[] }
  }
}

declare module 'jsts/org/locationtech/jts/algorithm/InteriorPointArea.js' {
  import type Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class InteriorPointArea {
    static getInteriorPoint(area: Geometry): Coordinate
  }
}
