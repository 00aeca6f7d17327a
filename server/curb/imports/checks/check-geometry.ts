import { crossesItself } from '#contract/curb-line.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { measureDistance, measureLineLength } from '#server/geography/geometry/distance.ts'
import type { Findings, StagingContext } from '../curb-format.ts'
import { asText, isRecord, toNumber } from './values.ts'

/** Maximum number of vertices of a record. */
const maxPositions = 10_000
/** A shorter line is treated as a line without length. */
const minLengthMeters = 0.05
/** A smaller ring has no area. In square degrees: about a square centimeter. */
const minRingArea = 1e-14

type Reach = Pick<StagingContext, 'center' | 'reachKm'>

/** How deep the positions of each geometry type are nested. */
const depths = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
} as const
type GeometryType = keyof typeof depths
/** The name of the field in findings. */
const field = 'geometry'

/**
 * Checks the geometry of a record, and repairs coordinates that are texts or swapped, repeated vertices and
 * open rings. Returns null and refuses the record if it has no usable geometry within reach of the region.
 */
export function checkGeometry(raw: unknown, reach: Reach, findings: Findings): Geometry | null {
  if (raw === undefined || raw === null) {
    findings.refuse('missing_geometry', 'The record has no geometry.', field)
    return null
  }
  const type = isRecord(raw)
    ? Object.keys(depths).find((name) => name.toLowerCase() === asText(raw['type']).toLowerCase())
    : undefined
  if (!isRecord(raw) || !type) {
    findings.refuse('bad_geometry', 'The geometry is no GeoJSON point, line or polygon.', field)
    return null
  }
  if (type !== raw['type'])
    findings.repair('spelling', `The geometry type is spelled ${type}.`, `${field}.type`)
  const reader = new PositionsReader()
  const coordinates = reader.read(raw['coordinates'], depths[type as GeometryType])
  if (coordinates === null) {
    findings.refuse('bad_geometry', reader.problem, `${field}.coordinates`)
    return null
  }
  if (reader.hadTexts)
    findings.repair('bad_value', 'Coordinates are texts; they were read as numbers.', field)
  const geometry = { type, coordinates } as Geometry
  return fitRegion(geometry, reach, findings) && checkShape(geometry, findings) ? geometry : null
}

/** Reads nested coordinates as numbers. `problem` is the reason if that failed. */
class PositionsReader {
  problem = 'The coordinates are not nested as the geometry type requires.'
  hadTexts = false
  #count = 0

  read(raw: unknown, depth: number): unknown[] | null {
    if (!Array.isArray(raw)) return null
    if (depth === 0) return this.#readPosition(raw)
    const coordinates: unknown[] = []
    for (const part of raw as unknown[]) {
      const nested = this.read(part, depth - 1)
      if (nested === null) return null
      coordinates.push(nested)
    }
    if (coordinates.length === 0) this.problem = 'The geometry has no coordinates.'
    return coordinates.length ? coordinates : null
  }

  #readPosition(raw: unknown[]): Position | null {
    if (++this.#count > maxPositions) {
      this.problem = `The geometry has more than ${maxPositions} vertices.`
      return null
    }
    const [x, y] = [toNumber(raw[0]), toNumber(raw[1])]
    if (x === null || y === null) {
      this.problem = 'A coordinate is not a number.'
      return null
    }
    if (typeof raw[0] === 'string' || typeof raw[1] === 'string') this.hadTexts = true
    return [x, y]
  }
}

/** Calls `visit` for every position, which may change it. */
function forEachPosition(geometry: Geometry, visit: (position: Position) => void): void {
  const walk = (value: unknown): void => {
    if (Array.isArray(value) && typeof value[0] === 'number') visit(value as Position)
    else if (Array.isArray(value)) value.forEach(walk)
  }
  walk(geometry.coordinates)
}

const isNear = ([lon, lat]: Position, { center, reachKm }: Reach): boolean =>
  Math.abs(lon) <= 180 && Math.abs(lat) <= 90 && measureDistance({ lon, lat }, center) <= reachKm * 1000

/** Swaps coordinates that only fit the region when swapped; refuses a geometry outside of it. */
function fitRegion(geometry: Geometry, reach: Reach, findings: Findings): boolean {
  let isInside = true
  let isInsideSwapped = true
  forEachPosition(geometry, (position) => {
    isInside &&= isNear(position, reach)
    isInsideSwapped &&= isNear([position[1], position[0]], reach)
  })
  if (isInside) return true
  if (isInsideSwapped) {
    forEachPosition(geometry, (position) => position.reverse())
    findings.repair('coordinates_swapped', 'Latitude came before longitude; they were swapped.', field)
    return true
  }
  findings.refuse(
    'outside_region',
    `The place is more than ${reach.reachKm} km from the center of the region.`,
    field,
  )
  return false
}

const isSamePosition = (a: Position | undefined, b: Position | undefined): boolean =>
  a?.[0] === b?.[0] && a?.[1] === b?.[1]

const removeRepeats = (line: Position[]): Position[] =>
  line.filter((position, index) => index === 0 || !isSamePosition(position, line[index - 1]))

/** Repairs or refuses lines without length, open rings, areas without size and crossings. */
function checkShape(geometry: Geometry, findings: Findings): boolean {
  if (geometry.type === 'LineString' || geometry.type === 'MultiLineString') {
    const isSingle = geometry.type === 'LineString'
    const lines = (isSingle ? [geometry.coordinates] : geometry.coordinates) as Position[][]
    const repairedLines = lines.map(removeRepeats)
    const usableLines = repairedLines.filter(
      (line) => line.length >= 2 && measureLineLength(line) >= minLengthMeters,
    )
    if (!usableLines.length) {
      findings.refuse('zero_length', 'The line has no length.', field)
      return false
    }
    if (usableLines.length < lines.length)
      findings.repair('zero_length', 'Parts of the line without length were removed.', field)
    else if (repairedLines.some((line, index) => line.length < (lines[index]?.length ?? 0)))
      findings.note('zero_length', 'Repeated vertices were removed.', field)
    if (usableLines.some(crossesItself)) {
      findings.refuse(
        'self_crossing',
        'The line crosses itself, so that it has no sides. Draw it again.',
        field,
      )
      return false
    }
    if (geometry.type === 'LineString') geometry.coordinates = usableLines[0] as Position[]
    else geometry.coordinates = usableLines
    return true
  }
  if (geometry.type === 'Polygon' || geometry.type === 'MultiPolygon') {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    for (const polygon of polygons)
      for (const [index, ring] of polygon.entries()) {
        if (!isSamePosition(ring[0], ring.at(-1)) && ring.length >= 3) {
          ring.push([...(ring[0] as Position)])
          findings.repair('bad_geometry', 'An open ring was closed.', field)
        }
        const repairedRing = removeRepeats(ring)
        if (repairedRing.length < 4 || Math.abs(computeRingArea(repairedRing)) < minRingArea) {
          findings.refuse('zero_length', 'The polygon has no area.', field)
          return false
        }
        if (crossesItself(repairedRing)) {
          findings.refuse('self_crossing', 'The outline of the polygon crosses itself. Draw it again.', field)
          return false
        }
        polygon[index] = repairedRing
      }
  }
  return true
}

/** Returns the signed area of a ring in square degrees, by the shoelace formula. */
function computeRingArea(ring: readonly Position[]): number {
  let doubleArea = 0
  for (let index = 0; index + 1 < ring.length; index++) {
    const [x1, y1] = ring[index] as Position
    const [x2, y2] = ring[index + 1] as Position
    doubleArea += x1 * y2 - x2 * y1
  }
  return doubleArea / 2
}
