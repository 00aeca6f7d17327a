import InteriorPointArea from 'jsts/org/locationtech/jts/algorithm/InteriorPointArea.js'
import Arrays from 'jsts/java/util/Arrays.js'
import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import PrecisionModel from 'jsts/org/locationtech/jts/geom/PrecisionModel.js'
import GeometryNoder from 'jsts/org/locationtech/jts/noding/snapround/GeometryNoder.js'
import Polygonizer from 'jsts/org/locationtech/jts/operation/polygonize/Polygonizer.js'
import UnaryUnionOp from 'jsts/org/locationtech/jts/operation/union/UnaryUnionOp.js'
import type { Position } from '#contract/place.ts'
import { toJts } from './jts.ts'

export interface Face {
  area: Geometry
  /** A place well inside. */
  inside: Position
}

/** Units of a degree, each a thousandth of a millimeter: places are rounded to them, or two edges that were cut by a third in turn could miss one another by the last digit. */
const units = 1e11
const grid = new PrecisionModel(units)
const rounded = ([x, y]: Position): Position => [Math.round(x * units) / units, Math.round(y * units) / units]

/** The faces between lines that cross one another anyhow. */
export function facesOf(lines: readonly (readonly Position[])[]): Face[] {
  const polygonizer = new Polygonizer()
  const cut = new GeometryNoder(grid).node(
    Arrays.asList([toJts.lines(lines.map((line) => line.map(rounded)))]),
  )
  // The union leaves one of edges that lie on one another.
  polygonizer.add(UnaryUnionOp.union(toJts.together(cut.toArray())))
  return polygonizer
    .getPolygons()
    .toArray()
    .filter((area) => area.getArea() > 0)
    .map((area) => {
      const { x, y } = InteriorPointArea.getInteriorPoint(area)
      return { area, inside: [x, y] }
    })
}
