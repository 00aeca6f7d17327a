import type { Position } from 'geojson'
import { areaTest } from './area-test.ts'
import { cutAtCrossings } from './cut-at-crossings.ts'
import { facesBetween } from './faces-between.ts'
import { pointsInside } from './points-inside.ts'

/**
 * A valid area with the meaning of an invalid one: borders are cut where they cross, the faces between them looked at one by one,
 * and borders between two faces that are both inside dropped. Vertices stay where they are; new ones appear only at crossings.
 * The way of PostGIS ST_MakeValid (method "linework"), but for holes that stick out of their polygon, which add nothing.
 * @param grid Degrees to snap to when the exact way fails; see `cutAtCrossings`.
 */
export function remakeArea(polygons: readonly Position[][][], grid: number | null): Position[][][] {
  const edges = cutAtCrossings(polygons.flat(), grid)
  const faces = facesBetween(edges).filter(isIn(areaTest(polygons)))
  const sides = countSides(faces.flat(), edges)
  const sidesOf = (edge: Position[]): number => sides.get(segmentKey(edge[0], edge[1])) ?? 0
  if (!edges.some((edge) => sidesOf(edge) === 2)) return faces
  const borders = edges.filter((edge) => sidesOf(edge) === 1)
  return facesBetween(borders).filter(isIn(areaTest(faces), true))
}

/** @param onBorder What a face is of which every point tried lies on a border of the area. */
function isIn(test: ReturnType<typeof areaTest>, onBorder = false): (face: Position[][]) => boolean {
  return (face) => {
    for (const point of pointsInside(face)) {
      const inside = test(point)
      if (inside !== null) return inside
    }
    return onBorder
  }
}

/** On how many of its sides each edge has a face, by its first segment. */
function countSides(rings: readonly Position[][], edges: readonly Position[][]): Map<string, number> {
  const sides = new Map(edges.map((edge) => [segmentKey(edge[0], edge[1]), 0]))
  // Nearly all segments lie within an edge; making a key for each would take most of the time.
  const starts = new Set(edges.map((edge) => edge[0]?.[0]))
  for (const ring of rings) {
    for (let index = 0; index + 1 < ring.length; index += 1) {
      const [from, to] = [ring[index], ring[index + 1]]
      if (!starts.has(from?.[0]) && !starts.has(to?.[0])) continue
      const key = segmentKey(from, to)
      const count = sides.get(key)
      if (count !== undefined) sides.set(key, count + 1)
    }
  }
  return sides
}

function segmentKey(a: Position | undefined, b: Position | undefined): string {
  const one = `${a?.[0]},${a?.[1]}`
  const other = `${b?.[0]},${b?.[1]}`
  return one < other ? `${one} ${other}` : `${other} ${one}`
}
