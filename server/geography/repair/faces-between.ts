import type { Position } from 'geojson'
import Polygonizer from 'jsts/org/locationtech/jts/operation/polygonize/Polygonizer.js'
import { fromJts } from './from-jts.ts'
import { toJts } from './to-jts.ts'

/** The areas that edges enclose, each with its holes. Edges may meet at their ends only. */
export function facesBetween(edges: readonly Position[][]): Position[][][] {
  const polygonizer = new Polygonizer()
  // Rings of edges that meet at their ends only are valid already.
  polygonizer.setCheckRingsValid(false)
  for (const edge of edges) polygonizer.add(toJts.line(edge))
  return polygonizer.getPolygons().toArray().flatMap(fromJts)
}
