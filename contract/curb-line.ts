import type { Geometry, Position } from './place.ts'

// Geometry of curb lines, as checked by imports and during drawing.

/**
 * Returns the side of `c` relative to the line from `a` to `b`: 1 left, -1 right, 0 on it. Coordinates of a curb
 * differ in their last digits only; subtracting `a` first loses none of them.
 */
const getSide = (a: Position, b: Position, c: Position): number =>
  Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

/** Returns whether segment ab crosses segment cd. Segments that only touch do not cross. */
const segmentsCross = (a: Position, b: Position, c: Position, d: Position): boolean =>
  getSide(a, b, c) * getSide(a, b, d) < 0 && getSide(c, d, a) * getSide(c, d, b) < 0

/** A line is compared in runs of this many edges; pairs of runs with disjoint boxes are skipped. */
const edgesPerRun = 32

/** Returns whether two edges of a line cross. A line that only touches itself does not cross itself. */
export function crossesItself(line: readonly Position[]): boolean {
  const runs: { from: number; to: number; box: [number, number, number, number] }[] = []
  for (let from = 0; from + 1 < line.length; from += edgesPerRun) {
    const to = Math.min(line.length - 1, from + edgesPerRun)
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
  for (const [index, run] of runs.entries())
    for (const otherRun of runs.slice(index)) {
      if (
        run.box[0] > otherRun.box[2] ||
        run.box[2] < otherRun.box[0] ||
        run.box[1] > otherRun.box[3] ||
        run.box[3] < otherRun.box[1]
      )
        continue
      // Consecutive edges share a vertex and cannot cross, so comparison starts two edges later.
      for (let i = run.from; i < run.to; i++)
        for (let j = Math.max(otherRun.from, i + 2); j < otherRun.to; j++)
          if (
            segmentsCross(
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

/** Returns the direction from the first to the last vertex in degrees from north; null if they are equal. */
export function getBearing(line: readonly Position[]): number | null {
  const first = line[0]
  const last = line.at(-1)
  if (!first || !last || (first[0] === last[0] && first[1] === last[1])) return null
  const east = (last[0] - first[0]) * Math.cos((first[1] * Math.PI) / 180)
  return ((Math.atan2(east, last[1] - first[1]) * 180) / Math.PI + 360) % 360
}

/** Directions of street sides, in degrees clockwise from north. */
const sideDegrees: Record<string, number> = { N: 0, NE: 45, E: 90, SE: 135, S: 180, SW: 225, W: 270, NW: 315 }

/** Returns whether a curb along `line` can be on this side: a curb on the north side runs east-west. */
export function canHaveSide(line: readonly Position[], streetSide: string): boolean {
  const bearing = getBearing(line)
  const degrees = sideDegrees[streetSide]
  if (bearing === null || degrees === undefined) return true
  // A curb runs perpendicular to the direction of its side, give or take 60 degrees.
  const deviation = Math.abs(((bearing - degrees + 540) % 180) - 90)
  return deviation <= 60
}

/** Reasons why a drawn curb is unusable. */
export const curbLineProblems = ['no_line', 'zero_length', 'self_crossing', 'wrong_side'] as const
export type CurbLineProblem = (typeof curbLineProblems)[number]

/** Shorter curbs count as having no length. Degrees; about 5 cm. */
const minLengthDegrees = 5e-7

function computeLengthDegrees(line: readonly Position[]): number {
  let sum = 0
  for (let index = 1; index < line.length; index++)
    sum += Math.hypot(line[index]![0] - line[index - 1]![0], line[index]![1] - line[index - 1]![1])
  return sum
}

/** Returns the lines of a curb. For areas these are the outlines; points have none. */
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

/** Returns why a curb cannot be stored as drawn; null if it can. */
export function findCurbLineProblem(geometry: Geometry, streetSide: string | null): CurbLineProblem | null {
  const lines = getCurbLines(geometry)
  if (!lines.length) return 'no_line'
  if (lines.some((line) => line.length < 2 || computeLengthDegrees(line) < minLengthDegrees))
    return 'zero_length'
  if (lines.some(crossesItself)) return 'self_crossing'
  const isLine = geometry.type === 'LineString'
  return isLine && streetSide !== null && !canHaveSide(geometry.coordinates, streetSide) ? 'wrong_side' : null
}
