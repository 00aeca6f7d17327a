import type { Position } from 'geojson'
import type { BoundaryGeometry } from './formats/boundary-geometry.ts'
import { cleanPositions } from './repair/clean-positions.ts'
import { cleanRings } from './repair/clean-rings.ts'
import { mendArea } from './repair/mend-area.ts'
import { orientRings } from './repair/orient-rings.ts'
import { RepairLog } from './repair/repair-log.ts'
import { TangledError } from './repair/tangled-error.ts'

interface Repaired {
  /** Valid by OGC Simple Features, rings as RFC 7946 orders them; null when nothing could be kept. */
  geometry: BoundaryGeometry | null
  repairs: { code: string; text: string }[]
}

/**
 * A valid geometry of the same meaning. What was valid keeps every vertex as it was, so that neighbours go on sharing
 * their borders; at most its rings are turned. A ring that crosses itself is filled by the even-odd rule, parts that overlap are joined.
 */
export function repairShape(geometry: BoundaryGeometry): Repaired {
  const log = new RepairLog()
  const repaired = repair(geometry, log)
  if (repaired === null)
    log.say('nothing-left', `Nothing of the shape could be kept: no ${kindOf(geometry)} is left.`)
  return { geometry: repaired, repairs: log.list() }
}

function repair(geometry: BoundaryGeometry, log: RepairLog): BoundaryGeometry | null {
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

function repairArea(
  geometry: Extract<BoundaryGeometry, { type: 'Polygon' | 'MultiPolygon' }>,
  log: RepairLog,
): BoundaryGeometry | null {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const cleaned = cleanRings(polygons, log)
  if (cleaned.length === 0) return null
  try {
    const mended = mendArea(cleaned, log)
    if (mended === null) return null
    const oriented = orientRings(mended)
    const [only] = oriented
    if (oriented === polygons || only === undefined) return geometry
    return geometry.type === 'Polygon' && oriented.length === 1
      ? { type: 'Polygon', coordinates: only }
      : { type: 'MultiPolygon', coordinates: oriented }
  } catch (error) {
    if (!(error instanceof TangledError)) throw error
    log.say('tangled', 'Its borders cross each other tens of thousands of times, which no drawn shape does.')
    return null
  }
}

function repairLines(
  geometry: Extract<BoundaryGeometry, { type: 'LineString' | 'MultiLineString' }>,
  log: RepairLog,
): BoundaryGeometry | null {
  const lines = geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates
  const kept: Position[][] = []
  for (const line of lines) {
    const { positions, notFinite, repeated } = cleanPositions(line)
    log.count('position-not-finite', notFinite)
    log.count('points-repeated', repeated)
    if (positions.length < 2) log.count('line-dropped')
    else kept.push(positions)
  }
  const [only] = kept
  if (only === undefined) return null
  if (kept.length === lines.length && kept.every((line, index) => line === lines[index])) return geometry
  return geometry.type === 'LineString'
    ? { type: 'LineString', coordinates: only }
    : { type: 'MultiLineString', coordinates: kept }
}

function repairPoints(
  geometry: Extract<BoundaryGeometry, { type: 'Point' | 'MultiPoint' }>,
  log: RepairLog,
): BoundaryGeometry | null {
  const points = geometry.type === 'Point' ? [geometry.coordinates] : geometry.coordinates
  const finite = points.filter(([x = NaN, y = NaN]) => Number.isFinite(x) && Number.isFinite(y))
  const kept = [...new Map(finite.map((point) => [`${point[0]},${point[1]}`, point])).values()]
  log.count('position-not-finite', points.length - finite.length)
  log.count('points-repeated', finite.length - kept.length)
  if (kept.length === 0) return null
  return kept.length === points.length ? geometry : { type: 'MultiPoint', coordinates: kept }
}

function kindOf(geometry: BoundaryGeometry): string {
  return geometry.type.endsWith('Polygon') ? 'area' : geometry.type.endsWith('String') ? 'line' : 'point'
}
