import type { Geometry, Position } from './place.ts'

/** Geometry of curb lines, as checked by imports and while they are drawn. */

/** Side of the directed line from `a` to `b` on which `c` lies, relative to `a` so that no digits are lost. */
const side = (a: Position, b: Position, c: Position): number =>
  Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

const crosses = (a: Position, b: Position, c: Position, d: Position): boolean =>
  side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0

/** Vertices up to which all pairs of edges are compared; longer lines are compared by boxes of runs of edges. */
const runLength = 32

/** Whether two edges of a line cross within both. Lines that only touch themselves do not. */
export function crossesItself(line: readonly Position[]): boolean {
  const runs: { from: number; to: number; box: [number, number, number, number] }[] = []
  for (let from = 0; from + 1 < line.length; from += runLength) {
    const to = Math.min(line.length - 1, from + runLength)
    const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
    for (let index = from; index <= to; index++) {
      const [x, y] = line[index] as Position
      box[0] = Math.min(box[0], x)
      box[1] = Math.min(box[1], y)
      box[2] = Math.max(box[2], x)
      box[3] = Math.max(box[3], y)
    }
    runs.push({ from, to, box })
  }
  for (const [index, one] of runs.entries())
    for (const other of runs.slice(index)) {
      if (
        one.box[0] > other.box[2] ||
        one.box[2] < other.box[0] ||
        one.box[1] > other.box[3] ||
        one.box[3] < other.box[1]
      )
        continue
      for (let i = one.from; i < one.to; i++)
        for (let j = Math.max(other.from, i + 2); j < other.to; j++)
          if (
            crosses(
              line[i] as Position,
              line[i + 1] as Position,
              line[j] as Position,
              line[j + 1] as Position,
            )
          )
            return true
    }
  return false
}

/** Direction of a line from its first to its last vertex in degrees clockwise from north; null if it has none. */
export function getBearing(line: readonly Position[]): number | null {
  const [first, last] = [line[0], line.at(-1)]
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return null
  const east = (last[0] - first[0]) * Math.cos((first[1] * Math.PI) / 180)
  return ((Math.atan2(east, last[1] - first[1]) * 180) / Math.PI + 360) % 360
}

const sideDegrees: Record<string, number> = { N: 0, NE: 45, E: 90, SE: 135, S: 180, SW: 225, W: 270, NW: 315 }

/** Whether a curb that runs along `line` can lie on this side of its street: a curb on the north side runs from east to west. */
export function canHaveSide(line: readonly Position[], streetSide: string): boolean {
  const bearing = getBearing(line)
  const degrees = sideDegrees[streetSide]
  if (bearing === null || degrees === undefined) return true
  // The angle between the curb and the direction to its side is 90 degrees; a curb within 30 degrees of it is on no such side.
  const angle = Math.abs(((bearing - degrees + 540) % 180) - 90)
  return angle <= 60
}

/** What makes a drawn curb unusable. */
export const curbLineProblems = ['no_line', 'zero_length', 'self_crossing', 'wrong_side'] as const
export type CurbLineProblem = (typeof curbLineProblems)[number]

/** A curb that is shorter has no length, degrees: about 5 cm. */
const minDegrees = 5e-7

function extent(line: readonly Position[]): number {
  let sum = 0
  for (let index = 1; index < line.length; index++)
    sum += Math.hypot(line[index]![0] - line[index - 1]![0], line[index]![1] - line[index - 1]![1])
  return sum
}

/** The lines of a curb: of an area its outlines; of points none. */
export function getCurbLines(geometry: Geometry): Position[][] {
  switch (geometry.type) {
    case 'LineString':
      return [geometry.coordinates]
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates
    case 'MultiPolygon':
      return geometry.coordinates.flat()
    default:
      return []
  }
}

/** Why a curb cannot be stored as drawn; null if it can. */
export function curbLineProblem(geometry: Geometry, streetSide: string | null): CurbLineProblem | null {
  const lines = getCurbLines(geometry)
  if (!lines.length) return 'no_line'
  if (lines.some((line) => line.length < 2 || extent(line) < minDegrees)) return 'zero_length'
  if (lines.some(crossesItself)) return 'self_crossing'
  const isLine = geometry.type === 'LineString'
  return isLine && streetSide !== null && !canHaveSide(geometry.coordinates, streetSide) ? 'wrong_side' : null
}
