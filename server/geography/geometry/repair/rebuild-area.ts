import type { Position } from 'geojson'
import IndexedPointInAreaLocator from 'jsts/org/locationtech/jts/algorithm/locate/IndexedPointInAreaLocator.js'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import Polygonizer from 'jsts/org/locationtech/jts/operation/polygonize/Polygonizer.js'
import { cutAtCrossings } from './cut-at-crossings.ts'
import { convertFromJts, toJts } from './jts.ts'

/** If this number of points gives no result, a face is too thin for double precision. */
const maxPoints = 6

/**
 * Returns points well inside a polygon, the most central first. They are on horizontal lines through the
 * widest bands between its vertices, in the middle of the longest segment inside. Points in bands as narrow
 * as a rounding error are unreliable.
 */
export function findPointsInside(rings: readonly Position[][]): Position[] {
  const levels = [...new Set(rings.flatMap((ring) => ring.map(([, y = 0]) => y)))].sort((a, b) => a - b)
  const bands = levels.slice(1).map((high, index) => ({ low: levels[index] ?? high, high }))
  bands.sort((a, b) => b.high - b.low - (a.high - a.low))
  return bands
    .slice(0, maxPoints)
    .flatMap(({ low, high }) => {
      const y = low + (high - low) / 2
      const interval = findWidestInterval(rings, y)
      if (interval === null) return []
      const width = interval.to - interval.from
      return { point: [interval.from + width / 2, y], room: Math.min(high - low, width) }
    })
    .sort((a, b) => b.room - a.room)
    .map(({ point }) => point)
}

/** Finds the longest segment inside a polygon on a horizontal line; null if there is none. */
function findWidestInterval(rings: readonly Position[][], y: number): { from: number; to: number } | null {
  const crossings: number[] = []
  for (const ring of rings) {
    for (let index = 0; index + 1 < ring.length; index += 1) {
      const [ax = 0, ay = 0] = ring[index] ?? []
      const [bx = 0, by = 0] = ring[index + 1] ?? []
      if (ay > y !== by > y) crossings.push(ax + ((bx - ax) * (y - ay)) / (by - ay))
    }
  }
  crossings.sort((a, b) => a - b)
  let widest: { from: number; to: number } | null = null
  for (let index = 0; index + 1 < crossings.length; index += 2) {
    const [from = 0, to = 0] = crossings.slice(index, index + 2)
    if (widest === null || to - from > widest.to - widest.from) widest = { from, to }
  }
  return widest
}

/** Locations of JTS. */
const border = 1
const outside = 2

/** Tests whether a point is inside; null if it is on a border. */
type PointTest = (point: Coordinate) => boolean | null

/**
 * Creates a test for points in polygons, which may be invalid. A point is in a ring by the even-odd rule, in
 * a polygon if it is in its outer ring and in no hole, and in the area if it is in any polygon.
 */
function createAreaTest(polygons: readonly Position[][][]): (position: Position) => boolean | null {
  const parts = polygons.map(([outer = [], ...holes]) => {
    const testOuter = createRingTest(outer)
    const testHoles = combineTests(holes.map(createRingTest))
    return (point: Coordinate): boolean | null => {
      const isInOuter = testOuter(point)
      if (isInOuter !== true) return isInOuter
      const isInHole = testHoles(point)
      return isInHole === null ? null : !isInHole
    }
  })
  const testParts = combineTests(parts)
  return ([x = 0, y = 0]) => testParts(new Coordinate(x, y))
}

/** Creates a test for points in any of several areas. */
function combineTests(tests: readonly PointTest[]): PointTest {
  return (point) => {
    let result: boolean | null = false
    for (const test of tests) {
      const isInside = test(point)
      if (isInside === true) return true
      if (isInside === null) result = null
    }
    return result
  }
}

function createRingTest(ring: Position[]): PointTest {
  const polygon = toJts.polygon([ring])
  const box = polygon.getEnvelopeInternal()
  const locator = new IndexedPointInAreaLocator(polygon)
  return (point) => {
    const location = box.contains(point) ? locator.locate(point) : outside
    return location === border ? null : location !== outside
  }
}

/** Finds the faces enclosed by edges, each with its holes. Edges may meet only at their ends. */
function findFaces(edges: readonly Position[][]): Position[][][] {
  const polygonizer = new Polygonizer()
  // Rings of edges that only meet at their ends are always valid.
  polygonizer.setCheckRingsValid(false)
  for (const edge of edges) polygonizer.add(toJts.line(edge))
  return polygonizer.getPolygons().toArray().flatMap(convertFromJts)
}

/**
 * Builds a valid area that contains the same points as an invalid one. Borders are cut where they cross, the
 * faces between them are tested, and borders between two faces inside are dropped. Vertices do not move; new
 * ones are only at crossings. Like PostGIS ST_MakeValid (method "linework"), except that holes outside of
 * their polygon add no area.
 * @param grid Size in degrees of the grid to which crossings are snapped; see `cutAtCrossings`.
 */
export function rebuildArea(polygons: readonly Position[][][], grid: number | null): Position[][][] {
  const edges = cutAtCrossings(polygons.flat(), grid)
  const faces = findFaces(edges).filter(createFaceTest(createAreaTest(polygons)))
  const sides = countSides(faces.flat(), edges)
  const countFaces = (edge: Position[]): number => sides.get(makeSegmentKey(edge[0], edge[1])) ?? 0
  if (!edges.some((edge) => countFaces(edge) === 2)) return faces
  const borders = edges.filter((edge) => countFaces(edge) === 1)
  return findFaces(borders).filter(createFaceTest(createAreaTest(faces), true))
}

/**
 * Creates a test for faces in an area.
 * @param borderResult the result for a face with all tested points on a border of the area
 */
function createFaceTest(
  testPoint: ReturnType<typeof createAreaTest>,
  borderResult = false,
): (face: Position[][]) => boolean {
  return (face) => {
    for (const point of findPointsInside(face)) {
      const isInside = testPoint(point)
      if (isInside !== null) return isInside
    }
    return borderResult
  }
}

/** Returns the number of faces (0 to 2) beside each edge, by the edge's first segment. */
function countSides(rings: readonly Position[][], edges: readonly Position[][]): Map<string, number> {
  const sides = new Map(edges.map((edge) => [makeSegmentKey(edge[0], edge[1]), 0]))
  // Most segments are inside of an edge. Creating keys for all of them would take most of the time.
  const starts = new Set(edges.map((edge) => edge[0]?.[0]))
  for (const ring of rings) {
    for (let index = 0; index + 1 < ring.length; index += 1) {
      const from = ring[index]
      const to = ring[index + 1]
      if (!starts.has(from?.[0]) && !starts.has(to?.[0])) continue
      const key = makeSegmentKey(from, to)
      const count = sides.get(key)
      if (count !== undefined) sides.set(key, count + 1)
    }
  }
  return sides
}

function makeSegmentKey(a: Position | undefined, b: Position | undefined): string {
  const first = `${a?.[0]},${a?.[1]}`
  const second = `${b?.[0]},${b?.[1]}`
  return first < second ? `${first} ${second}` : `${second} ${first}`
}
