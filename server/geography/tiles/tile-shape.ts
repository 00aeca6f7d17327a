import type { Geometry, Position } from '#contract/place.ts'

/**
 * Points as x, y, importance. The importance is the squared distance of a point from the line without it;
 * ends have 1.
 */
type Points = Float64Array

/** Sets the importance of all points (Douglas and Peucker); it remains 0 below `minImportance`. */
function markImportance(points: Points, minImportance: number): void {
  const end = points.length - 3
  points[2] = 1
  points[end + 2] = 1
  const spans: [number, number][] = [[0, end]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [first, last] = span
    const found = findFarthest(points, first, last, minImportance)
    if (!found) continue
    points[found.at + 2] = found.distance2
    if (found.at - first > 3) spans.push([first, found.at])
    if (last - found.at > 3) spans.push([found.at, last])
  }
}

/**
 * The point between two others that is farthest from their line, if it is farther than `minImportance`; of
 * equals, the one nearest the middle.
 */
function findFarthest(
  points: Points,
  first: number,
  last: number,
  minImportance: number,
): { at: number; distance2: number } | null {
  const middle = first + ((last - first) >> 1)
  let [maxDistance2, at, toMiddle] = [minImportance, -1, last - first]
  for (let index = first + 3; index < last; index += 3) {
    const distance2 = squaredDistance(points, index, first, last)
    if (distance2 > maxDistance2) {
      at = index
      maxDistance2 = distance2
    } else if (distance2 === maxDistance2 && at >= 0 && Math.abs(index - middle) < toMiddle) {
      toMiddle = Math.abs(index - middle)
      at = index
    }
  }
  return at < 0 ? null : { at, distance2: maxDistance2 }
}

/** Squared distance of a point from the segment between two others. */
function squaredDistance(points: Points, index: number, first: number, last: number): number {
  let [x, y] = [points[first]!, points[first + 1]!]
  const [px, py, endX, endY] = [points[index]!, points[index + 1]!, points[last]!, points[last + 1]!]
  const [dx, dy] = [endX - x, endY - y]
  if (dx !== 0 || dy !== 0) {
    const along = ((px - x) * dx + (py - y) * dy) / (dx * dx + dy * dy)
    if (along > 1) [x, y] = [endX, endY]
    else if (along > 0) [x, y] = [x + dx * along, y + dy * along]
  }
  return (px - x) ** 2 + (py - y) ** 2
}

/** A ring, a line or points. */
export interface TileLine {
  points: Points
  /** Area of a ring, length of a line, in the units of the world square. */
  size: number
  isOuter: boolean
}

/**
 * A shape in the world square of web maps (0 to 1 from west to east and from north to south), prepared for
 * tiles.
 */
export interface TileShape {
  id: string
  /** Hash of name, class and geometry. */
  hash: string
  tags: Readonly<Record<string, string>>
  /** GeomType of vector tiles: 1 point, 2 line, 3 polygon. */
  kind: 1 | 2 | 3
  lines: readonly TileLine[]
  /** West, north, east, south. */
  box: readonly [number, number, number, number]
}

/** The stored columns of a shape for tiles. */
export interface StoredShape {
  shape_uuid: string
  row_hash: string
  name: string
  class: unknown
  geometry: Geometry
}

/** From this zoom on, shapes are not simplified. */
export const exactZoom = 16
/** Units of a tile's side, and tolerance of simplification in these units. */
export const extent = 4096
export const tolerance = 3

const minImportance = (tolerance / (2 ** exactZoom * extent)) ** 2
const kinds: Record<Geometry['type'], TileShape['kind']> = {
  Point: 1,
  MultiPoint: 1,
  LineString: 2,
  MultiLineString: 2,
  Polygon: 3,
  MultiPolygon: 3,
}

function project(positions: readonly Position[]): Points {
  const points = new Float64Array(positions.length * 3)
  for (const [at, [lon, lat]] of positions.entries()) {
    const sin = Math.sin((lat * Math.PI) / 180)
    points[at * 3] = lon / 360 + 0.5
    points[at * 3 + 1] = Math.min(1, Math.max(0, 0.5 - (0.25 * Math.log((1 + sin) / (1 - sin))) / Math.PI))
  }
  return points
}

function lineOf(positions: readonly Position[], kind: TileShape['kind'], isOuter: boolean): TileLine {
  const points = project(positions)
  if (kind === 1) return { points, size: 0, isOuter }
  let size = 0
  for (let at = 3; at < points.length; at += 3) {
    const [x0, y0, x, y] = [points[at - 3]!, points[at - 2]!, points[at]!, points[at + 1]!]
    size += kind === 3 ? (x0 * y - x * y0) / 2 : Math.hypot(x - x0, y - y0)
  }
  markImportance(points, minImportance)
  return { points, size: Math.abs(size), isOuter }
}

function linesOf(geometry: Geometry): TileLine[] {
  const kind = kinds[geometry.type]
  switch (geometry.type) {
    case 'Point':
      return [lineOf([geometry.coordinates], kind, false)]
    case 'MultiPoint':
    case 'LineString':
      return [lineOf(geometry.coordinates, kind, false)]
    case 'MultiLineString':
      return geometry.coordinates.map((line) => lineOf(line, kind, false))
    case 'Polygon':
      return geometry.coordinates.map((ring, at) => lineOf(ring, kind, at === 0))
    case 'MultiPolygon':
      return geometry.coordinates.flatMap((rings) => rings.map((ring, at) => lineOf(ring, kind, at === 0)))
  }
}

export function toTileShape({
  shape_uuid: id,
  row_hash: hash,
  name,
  class: className,
  geometry,
}: StoredShape): TileShape {
  const lines = linesOf(geometry).filter(({ points }) => points.length > 0)
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { points } of lines) {
    for (let at = 0; at < points.length; at += 3) {
      const [x, y] = [points[at]!, points[at + 1]!]
      if (x < box[0]) box[0] = x
      if (y < box[1]) box[1] = y
      if (x > box[2]) box[2] = x
      if (y > box[3]) box[3] = y
    }
  }
  return {
    id,
    hash,
    tags: { shape_uuid: id, name, ...(typeof className === 'string' ? { class: className } : {}) },
    kind: kinds[geometry.type],
    lines,
    box,
  }
}

/** Margin around a tile that is drawn too, in tile units. */
const margin = 64

/** West, north, east, south in the world square. */
export type WorldBox = readonly [number, number, number, number]

/** The box of a tile including its margin. */
export function boxOfTile(z: number, x: number, y: number): WorldBox {
  const [side, over] = [2 ** z, margin / extent]
  return [(x - over) / side, (y - over) / side, (x + 1 + over) / side, (y + 1 + over) / side]
}

/** Whether two boxes intersect. */
export const intersects = (a: WorldBox, b: WorldBox): boolean =>
  a[0] < b[2] && a[2] >= b[0] && a[1] < b[3] && a[3] >= b[1]
