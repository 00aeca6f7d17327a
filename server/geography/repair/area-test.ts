import type { Position } from 'geojson'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import IndexedPointInAreaLocator from 'jsts/org/locationtech/jts/algorithm/locate/IndexedPointInAreaLocator.js'
import { toJts } from './to-jts.ts'

const BORDER = 1
const OUTSIDE = 2

/** Null on a border, where there is no saying. */
type Test = (point: Coordinate) => boolean | null

/** What polygons mean, valid or not: a point is in a ring by the even-odd rule, in a polygon if in its outer ring and in no hole, in the area if in any polygon. */
export function areaTest(polygons: readonly Position[][][]): (position: Position) => boolean | null {
  const parts = polygons.map(([outer = [], ...holes]) => {
    const inOuter = ringTest(outer)
    const inHole = any(holes.map(ringTest))
    return (point: Coordinate): boolean | null => {
      const inside = inOuter(point)
      if (inside !== true) return inside
      const hole = inHole(point)
      return hole === null ? null : !hole
    }
  })
  const inAny = any(parts)
  return ([x = 0, y = 0]) => inAny(new Coordinate(x, y))
}

function any(tests: readonly Test[]): Test {
  return (point) => {
    let answer: boolean | null = false
    for (const test of tests) {
      const one = test(point)
      if (one === true) return true
      if (one === null) answer = null
    }
    return answer
  }
}

function ringTest(ring: Position[]): Test {
  const polygon = toJts.polygon([ring])
  const box = polygon.getEnvelopeInternal()
  const locator = new IndexedPointInAreaLocator(polygon)
  return (point) => {
    const location = box.contains(point) ? locator.locate(point) : OUTSIDE
    return location === BORDER ? null : location !== OUTSIDE
  }
}
