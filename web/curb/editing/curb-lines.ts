import { type StreetSide, streetSides } from '#contract/cds.ts'
import type { Position } from '#contract/place.ts'

// Lines along streets are computed on a plane at one of their positions: exact to a millimeter over a block.

const metersPerDegree = 111_320
const radiansPerDegree = Math.PI / 180

/** A plane in meters with its origin at a position; x points east, y north. */
interface Plane {
  toMeters: (position: Position) => Position
  fromMeters: (meters: Position) => Position
}

function planeAt([lon, lat]: Position): Plane {
  const metersPerDegreeEast = Math.cos(lat * radiansPerDegree) * metersPerDegree
  return {
    toMeters: ([x, y]) => [(x - lon) * metersPerDegreeEast, (y - lat) * metersPerDegree],
    fromMeters: ([x, y]) => [lon + x / metersPerDegreeEast, lat + y / metersPerDegree],
  }
}

/** Rounds a position to seven decimals, about a centimeter. */
const roundPosition = ([x, y]: Position): Position => [Number(x.toFixed(7)), Number(y.toFixed(7))]

const feetPerMeter = 3.28084

/** Converts meters to the region's unit, rounded to a tenth. */
export const fromMeters = (meters: number, isMetric: boolean): number =>
  Math.round((isMetric ? meters : meters * feetPerMeter) * 10) / 10
/** Converts meters or feet, as a user typed them, to meters. */
export const toMeters = (length: number, isMetric: boolean): number =>
  isMetric ? length : length / feetPerMeter

const distance = ([ax, ay]: Position, [bx, by]: Position): number => Math.hypot(bx - ax, by - ay)

/** Distance between two positions, in meters. */
export function metersApart(a: Position, b: Position): number {
  return distance([0, 0], planeAt(a).toMeters(b))
}

/** Length of a line, in meters. */
export function lineLength(line: readonly Position[]): number {
  if (!line[0]) return 0
  const meters = line.map(planeAt(line[0]).toMeters)
  return meters.slice(1).reduce((sum, end, index) => sum + distance(meters[index]!, end), 0)
}

export interface Projection {
  /** Distance from the start of the line, in meters. */
  along: number
  /** Distance from the line, in meters: positive to the right, negative to the left. */
  offset: number
  /** The closest point of the line. */
  place: Position
}

/** Returns the point of a line that is closest to a position; null for an empty line. */
export function projectOn(line: readonly Position[], position: Position): Projection | null {
  const plane = planeAt(position)
  const meters = line.map(plane.toMeters)
  if (!meters[0]) return null
  let best = { index: 0, share: 0, distance: Infinity }
  for (let index = 0; index + 1 < meters.length; index++) {
    const [[ax, ay], [bx, by]] = [meters[index]!, meters[index + 1]!]
    const [dx, dy] = [bx - ax, by - ay]
    const length2 = dx * dx + dy * dy
    const share = length2 ? Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length2)) : 0
    const away = Math.hypot(ax + share * dx, ay + share * dy)
    if (away < best.distance) best = { index, share, distance: away }
  }
  const [start, end] = [meters[best.index]!, meters[best.index + 1] ?? meters[best.index]!]
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]]
  const metersBefore = meters
    .slice(1, best.index + 1)
    .reduce((sum, next, index) => sum + distance(meters[index]!, next), 0)
  // The position is the origin, so a negative cross product means that it is to the right.
  const cross = dx * -start[1] - dy * -start[0]
  return {
    along: metersBefore + best.share * Math.hypot(dx, dy),
    offset: cross > 0 ? -best.distance : best.distance,
    place: roundPosition(plane.fromMeters([start[0] + best.share * dx, start[1] + best.share * dy])),
  }
}

/** Returns the part of a line between two distances from its start, in meters; both are clamped to the line. */
export function lineBetween(line: readonly Position[], from: number, to: number): Position[] {
  if (!line[0]) return []
  const plane = planeAt(line[0])
  const meters = line.map(plane.toMeters)
  const positions: Position[] = []
  let passed = 0
  for (const [index, end] of meters.slice(1).entries()) {
    const start = meters[index]!
    const length = distance(start, end)
    const placeAt = (along: number): Position => {
      if (along <= passed) return line[index]!
      if (along >= passed + length) return line[index + 1]!
      const share = (along - passed) / length
      return roundPosition(
        plane.fromMeters([start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])]),
      )
    }
    const isLast = index === meters.length - 2
    if (!positions.length && (from < passed + length || isLast)) positions.push(placeAt(from))
    if (positions.length && to > passed) positions.push(placeAt(to))
    passed += length
    if (to <= passed) break
  }
  return withoutRepeats(positions)
}

/** Limit of the miter length, in multiples of the offset; sharper corners are cut off. */
const maxMiter = 2

/** Returns the line parallel to another one; positive offsets, in meters, are to the right. */
export function offsetLine(line: readonly Position[], offset: number): Position[] {
  if (!line[0] || line.length < 2) return [...line]
  const plane = planeAt(line[0])
  const meters = line.map(plane.toMeters)
  const rights = meters.slice(1).map((end, index): Position => {
    const [dx, dy] = [end[0] - meters[index]![0], end[1] - meters[index]![1]]
    const length = Math.hypot(dx, dy) || 1
    return [dy / length, -dx / length]
  })
  return meters.map(([x, y], index) => {
    const before = rights[index - 1] ?? rights[index]!
    const after = rights[index] ?? before
    const sx = before[0] + after[0]
    const sy = before[1] + after[1]
    const sum2 = sx * sx + sy * sy
    // The bisector is scaled so that both edges are at the offset distance; opposite edges have none (sum 0).
    const scale = sum2 > 1e-9 ? Math.min(2 / sum2, maxMiter / Math.sqrt(sum2)) : 0
    const [rx, ry] = scale ? [sx * scale, sy * scale] : after
    return roundPosition(plane.fromMeters([x + rx * offset, y + ry * offset]))
  })
}

/** Cuts a line at the point closest to a position; null if a part would be too short. */
export function splitLine(line: readonly Position[], position: Position): [Position[], Position[]] | null {
  const cut = projectOn(line, position)
  return cut && splitLineAt(line, cut.along)
}

/** Shortest part of a split line. */
const minPartMeters = 0.5

/** Cuts a line at a distance from its start; null if a part would be too short. */
export function splitLineAt(line: readonly Position[], along: number): [Position[], Position[]] | null {
  const length = lineLength(line)
  if (along < minPartMeters || along > length - minPartMeters) return null
  const first = lineBetween(line, 0, along)
  const second = lineBetween(line, along, length)
  // Both parts share the exact position of the cut.
  return [first, [first.at(-1)!, ...second.slice(1)]]
}

/** Joins two lines at their closest ends, in the direction of the first; null if they are too far apart. */
export function joinLines(
  one: readonly Position[],
  other: readonly Position[],
  maxGapMeters: number,
): Position[] | null {
  const [first, last, otherFirst, otherLast] = [one[0], one.at(-1), other[0], other.at(-1)]
  if (!first || !last || !otherFirst || !otherLast) return null
  const candidates = [
    { gap: metersApart(last, otherFirst), line: [...one, ...other] },
    { gap: metersApart(last, otherLast), line: [...one, ...other.toReversed()] },
    { gap: metersApart(otherLast, first), line: [...other, ...one] },
    { gap: metersApart(otherFirst, first), line: [...other.toReversed(), ...one] },
  ]
  const best = candidates.reduce((a, b) => (b.gap < a.gap ? b : a))
  if (best.gap > maxGapMeters) return null
  return withoutRepeats(best.line)
}

const withoutRepeats = (line: readonly Position[]): Position[] =>
  line.filter(([x, y], index) => index === 0 || x !== line[index - 1]![0] || y !== line[index - 1]![1])

/** Returns the compass direction to the right (positive `offset`) or left of a line; null if it has none. */
export function getCompassSide(line: readonly Position[], offset: number): StreetSide | null {
  const [first, last] = [line[0], line.at(-1)]
  if (!first || !last) return null
  const [east, north] = planeAt(first).toMeters(last)
  if (east === 0 && north === 0) return null
  // Clockwise from north, as `streetSides`, in steps of 45 degrees.
  const angle = Math.atan2(east, north) + (offset < 0 ? -Math.PI / 2 : Math.PI / 2)
  return streetSides[(Math.round(angle / (Math.PI / 4)) + 8) % 8]!
}
