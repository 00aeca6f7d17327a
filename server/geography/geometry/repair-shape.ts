import type { Position } from 'geojson'
import type { BoundaryGeometry } from '../boundary-files/boundary-geometry.ts'
import { repairInvalidArea } from './repair/repair-area.ts'
import { orientRings } from './repair/ring-area.ts'
import { RepairLog } from './repair/repair-log.ts'
import { TangledError } from './repair/edge-pairs.ts'

interface CleanedPositions {
  positions: Position[]
  /** Positions removed because they were not finite. */
  notFinite: number
  /** Positions removed because they repeated the previous one. */
  repeated: number
}

/** Removes positions that are not finite or repeat the previous one. Returns the same array if none are. */
function cleanPositions(positions: Position[]): CleanedPositions {
  let notFinite = 0
  let repeated = 0
  const usable: Position[] = []
  for (const position of positions) {
    const [x = NaN, y = NaN] = position
    const last = usable.at(-1)
    if (!Number.isFinite(x) || !Number.isFinite(y)) notFinite += 1
    else if (last !== undefined && last[0] === x && last[1] === y) repeated += 1
    else usable.push(position)
  }
  return { positions: usable.length === positions.length ? positions : usable, notFinite, repeated }
}

/** Minimum number of positions of a closed ring: three corners, and the first one repeated. */
const minRingPositions = 4

/**
 * Closes rings, removes repeated points and drops rings with fewer than three corners.
 * A polygon without a usable outer ring is dropped with its holes. Unchanged rings are the same arrays.
 */
function cleanRings(polygons: Position[][][], log: RepairLog): Position[][][] {
  let isChanged = false
  const cleaned: Position[][][] = []
  for (const rings of polygons) {
    const cleanedRings = rings.map((ring) => cleanRing(ring, log))
    const [outer] = cleanedRings
    const usableRings = cleanedRings.filter((ring) => ring !== null)
    log.count('ring-dropped', cleanedRings.length - usableRings.length)
    const isSameRing = (ring: Position[], index: number): boolean => ring === rings[index]
    if (usableRings.length !== rings.length || !usableRings.every(isSameRing)) isChanged = true
    if (outer !== null && outer !== undefined) cleaned.push(usableRings)
  }
  return isChanged ? cleaned : polygons
}

/** Closes a ring and removes unusable positions. Null if it has fewer than three corners. */
function cleanRing(ring: Position[], log: RepairLog): Position[] | null {
  const { positions, notFinite, repeated } = cleanPositions(ring)
  log.count('position-not-finite', notFinite)
  const [first] = positions
  const last = positions.at(-1)
  const isOpen = first !== undefined && last !== undefined && (first[0] !== last[0] || first[1] !== last[1])
  const closed = isOpen ? [...positions, [...first]] : positions
  if (closed.length < minRingPositions) return null
  log.count('points-repeated', repeated)
  if (isOpen) log.count('ring-closed')
  return closed
}

interface RepairResult {
  /** Valid by OGC Simple Features, with ring order of RFC 7946; null if nothing usable remains. */
  geometry: BoundaryGeometry | null
  repairs: { code: string; text: string }[]
}

/**
 * Repairs a geometry. Valid ones retain every vertex, so that neighbors still share their borders; only their
 * rings may be reversed. Rings that cross themselves are filled by the even-odd rule, and overlapping parts
 * are joined.
 */
export function repairShape(geometry: BoundaryGeometry): RepairResult {
  const log = new RepairLog()
  const repaired = repairGeometry(geometry, log)
  if (repaired === null)
    log.add('nothing-left', `Nothing usable remains of the shape: no ${describeKind(geometry)} is left.`)
  return { geometry: repaired, repairs: log.list() }
}

function repairGeometry(geometry: BoundaryGeometry, log: RepairLog): BoundaryGeometry | null {
  switch (geometry.type) {
    case 'Point':
    case 'MultiPoint':
      return repairPoints(geometry, log)
    case 'LineString':
    case 'MultiLineString':
      return repairLines(geometry, log)
    case 'Polygon':
    case 'MultiPolygon':
      return repairArea(geometry, log)
  }
}

/** Repairs an area. Null if nothing usable is left. */
function repairArea(
  geometry: Extract<BoundaryGeometry, { type: 'Polygon' | 'MultiPolygon' }>,
  log: RepairLog,
): BoundaryGeometry | null {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const cleaned = cleanRings(polygons, log)
  if (cleaned.length === 0) return null
  try {
    const repaired = repairInvalidArea(cleaned, log)
    if (repaired === null) return null
    const oriented = orientRings(repaired)
    const [polygon] = oriented
    if (oriented === polygons || polygon === undefined) return geometry
    return geometry.type === 'Polygon' && oriented.length === 1
      ? { type: 'Polygon', coordinates: polygon }
      : { type: 'MultiPolygon', coordinates: oriented }
  } catch (error) {
    if (!(error instanceof TangledError)) throw error
    log.add('tangled', 'Its borders cross each other tens of thousands of times, which no drawn shape does.')
    return null
  }
}

/** Removes unusable positions and lines. Null if no line is left. */
function repairLines(
  geometry: Extract<BoundaryGeometry, { type: 'LineString' | 'MultiLineString' }>,
  log: RepairLog,
): BoundaryGeometry | null {
  const lines = geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates
  const usableLines: Position[][] = []
  for (const line of lines) {
    const { positions, notFinite, repeated } = cleanPositions(line)
    log.count('position-not-finite', notFinite)
    log.count('points-repeated', repeated)
    if (positions.length < 2) log.count('line-dropped')
    else usableLines.push(positions)
  }
  const [firstLine] = usableLines
  if (firstLine === undefined) return null
  if (usableLines.length === lines.length && usableLines.every((line, index) => line === lines[index]))
    return geometry
  return geometry.type === 'LineString'
    ? { type: 'LineString', coordinates: firstLine }
    : { type: 'MultiLineString', coordinates: usableLines }
}

function repairPoints(
  geometry: Extract<BoundaryGeometry, { type: 'Point' | 'MultiPoint' }>,
  log: RepairLog,
): BoundaryGeometry | null {
  const points = geometry.type === 'Point' ? [geometry.coordinates] : geometry.coordinates
  const finite = points.filter(([x = NaN, y = NaN]) => Number.isFinite(x) && Number.isFinite(y))
  const uniquePoints = [...new Map(finite.map((point) => [`${point[0]},${point[1]}`, point])).values()]
  log.count('position-not-finite', points.length - finite.length)
  log.count('points-repeated', finite.length - uniquePoints.length)
  if (uniquePoints.length === 0) return null
  return uniquePoints.length === points.length ? geometry : { type: 'MultiPoint', coordinates: uniquePoints }
}

function describeKind(geometry: BoundaryGeometry): string {
  if (geometry.type.endsWith('Polygon')) return 'area'
  return geometry.type.endsWith('String') ? 'line' : 'point'
}
