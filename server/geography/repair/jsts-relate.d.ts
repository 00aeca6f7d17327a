/* The part of jsts 2.12 that relates two geometries. */
declare module 'jsts/org/locationtech/jts/operation/relate/RelateOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class RelateOp {
    static intersects(a: Geometry, b: Geometry): boolean
    /** The DE-9IM matrix of two geometries. */
    static relate(a: Geometry, b: Geometry): { matches(pattern: string): boolean }
  }
}
