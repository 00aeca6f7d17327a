/* The part of jsts 2.12 that says how two geometries meet. */
declare module 'jsts/org/locationtech/jts/operation/relate/RelateOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class RelateOp {
    static intersects(a: Geometry, b: Geometry): boolean
    /** How insides, borders and outsides of two geometries meet (DE-9IM). */
    static relate(a: Geometry, b: Geometry): { matches(pattern: string): boolean }
  }
}
