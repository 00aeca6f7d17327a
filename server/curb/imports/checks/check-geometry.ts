import { metersBetween, lineLength } from '#server/geography/geometry/distance.ts'
import { crossesItself } from '#contract/curb-line.ts'
import type { Geometry, Position } from '#contract/place.ts'
import type { Findings, StagingContext } from '../curb-format.ts'
import { asText, isRecord, toNumber } from './values.ts'

/** Vertices of the longest line of a record. */
const maxPositions = 10_000
/** A curb that is shorter has no length. */
const minLengthMeters = 0.05

type Where = Pick<StagingContext, 'center' | 'reachKm'>

const depths = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
} as const
type GeometryType = keyof typeof depths
/** The field that findings name. */
const field = 'geometry'

/**
 * Checks and repairs the geometry of a record: positions as numbers, swapped coordinates, double vertices, unclosed rings. Returns null
 * and refuses the record if it has no usable geometry in the region.
 */
export function checkGeometry(raw: unknown, where: Where, findings: Findings): Geometry | null {
  if (raw === undefined || raw === null) {
    findings.refuse('missing_geometry', 'The record has no geometry.', field)
    return null
  }
  const type = isRecord(raw)
    ? Object.keys(depths).find((each) => each.toLowerCase() === asText(raw['type']).toLowerCase())
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
  return fitRegion(geometry, where, findings) && checkShape(geometry, findings) ? geometry : null
}

class PositionsReader {
  problem = 'The coordinates are not nested as the geometry type requires.'
  hadTexts = false
  #count = 0

  read(raw: unknown, depth: number): unknown[] | null {
    if (!Array.isArray(raw)) return null
    if (depth === 0) return this.#position(raw)
    const all: unknown[] = []
    for (const each of raw as unknown[]) {
      const read = this.read(each, depth - 1)
      if (read === null) return null
      all.push(read)
    }
    if (all.length === 0) this.problem = 'The geometry has no coordinates.'
    return all.length ? all : null
  }

  #position(raw: unknown[]): Position | null {
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

const isNear = ([lon, lat]: Position, { center, reachKm }: Where): boolean =>
  Math.abs(lon) <= 180 && Math.abs(lat) <= 90 && metersBetween({ lon, lat }, center) <= reachKm * 1000

/** Swaps coordinates that only fit the region when swapped; refuses a geometry outside of it. */
function fitRegion(geometry: Geometry, where: Where, findings: Findings): boolean {
  let isInside = true
  let isInsideSwapped = true
  forEachPosition(geometry, (position) => {
    isInside &&= isNear(position, where)
    isInsideSwapped &&= isNear([position[1], position[0]], where)
  })
  if (isInside) return true
  if (isInsideSwapped) {
    forEachPosition(geometry, (position) => position.reverse())
    findings.repair('coordinates_swapped', 'Latitude came before longitude; they were swapped.', field)
    return true
  }
  findings.refuse(
    'outside_region',
    `The place is more than ${where.reachKm} km from the center of the region.`,
    field,
  )
  return false
}

const isSame = (one: Position | undefined, other: Position | undefined): boolean =>
  one?.[0] === other?.[0] && one?.[1] === other?.[1]

/** Line without repeated vertices. */
const withoutRepeats = (line: Position[]): Position[] =>
  line.filter((each, index) => index === 0 || !isSame(each, line[index - 1]))

function checkShape(geometry: Geometry, findings: Findings): boolean {
  if (geometry.type === 'LineString' || geometry.type === 'MultiLineString') {
    const isSingle = geometry.type === 'LineString'
    const lines = (isSingle ? [geometry.coordinates] : geometry.coordinates) as Position[][]
    const repaired = lines.map(withoutRepeats)
    const usable = repaired.filter((line) => line.length >= 2 && lineLength(line) >= minLengthMeters)
    if (!usable.length) {
      findings.refuse('zero_length', 'The line has no length.', field)
      return false
    }
    if (usable.length < lines.length)
      findings.repair('zero_length', 'Parts of the line without length were removed.', field)
    else if (repaired.some((line, index) => line.length < (lines[index]?.length ?? 0)))
      findings.note('zero_length', 'Repeated vertices were removed.', field)
    if (usable.some(crossesItself)) {
      findings.refuse(
        'self_crossing',
        'The line crosses itself, so that it has no sides. Draw it again.',
        field,
      )
      return false
    }
    if (geometry.type === 'LineString') geometry.coordinates = usable[0] as Position[]
    else geometry.coordinates = usable
    return true
  }
  if (geometry.type === 'Polygon' || geometry.type === 'MultiPolygon') {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    for (const polygon of polygons)
      for (const [index, ring] of polygon.entries()) {
        if (!isSame(ring[0], ring.at(-1)) && ring.length >= 3) {
          ring.push([...(ring[0] as Position)])
          findings.repair('bad_geometry', 'An open ring was closed.', field)
        }
        const closed = withoutRepeats(ring)
        if (closed.length < 4 || Math.abs(ringAreaOf(closed)) < 1e-14) {
          findings.refuse('zero_length', 'The polygon has no area.', field)
          return false
        }
        if (crossesItself(closed)) {
          findings.refuse('self_crossing', 'The outline of the polygon crosses itself. Draw it again.', field)
          return false
        }
        polygon[index] = closed
      }
  }
  return true
}

function ringAreaOf(ring: readonly Position[]): number {
  let double = 0
  for (let index = 0; index + 1 < ring.length; index++) {
    const [[x1, y1], [x2, y2]] = [ring[index] as Position, ring[index + 1] as Position]
    double += x1 * y2 - x2 * y1
  }
  return double / 2
}
