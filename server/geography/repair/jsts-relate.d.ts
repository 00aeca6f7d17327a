/* The part of jsts 2.12 that says whether two geometries meet: tests hold the index against it. */
declare module 'jsts/org/locationtech/jts/operation/relate/RelateOp.js' {
  import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
  export default class RelateOp {
    static intersects(a: Geometry, b: Geometry): boolean
  }
}
