import type { Position } from 'geojson'
import { BoundaryFileError, GeometryProblem } from './boundary-file-error.ts'
import { limits } from './limits.ts'

/** Converts coordinates of a file to longitude and latitude in degrees (WGS 84). */
export type Projector = (x: number, y: number) => [number, number]

/** Degrees by which rounding may exceed the valid range. Such positions are corrected without a note. */
const maxRoundingDegrees = 1e-6

/** Reads positions: validates and projects them, drops heights, and limits their number. */
export class PositionReader {
  /** Null if the coordinates are degrees. */
  project: Projector | null = null
  hasDroppedHeights = false
  #count = 0

  /** Returns a position of the file as longitude and latitude in degrees. @throws GeometryProblem */
  read(raw: unknown): Position {
    this.#count += 1
    if (this.#count > limits.positions) {
      throw new BoundaryFileError(
        'too-many-positions',
        `The file has more than ${limits.positions.toLocaleString('en')} vertices. Simplify the borders or send the file in parts.`,
      )
    }
    if (!Array.isArray(raw))
      throw new GeometryProblem('bad-position', 'has coordinates that are not nested as its type requires')
    const x: unknown = raw[0]
    const y: unknown = raw[1]
    if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y)) {
      throw new GeometryProblem(
        'bad-position',
        `has a position that is not two numbers: ${formatPosition(raw)}`,
      )
    }
    if (raw.length > 2) this.hasDroppedHeights = true
    if (this.project === null) return checkPosition(x, y)
    const [lon, lat] = this.project(x, y)
    if (!Number.isFinite(lon) || !Number.isFinite(lat)) {
      throw new GeometryProblem(
        'outside-projection',
        `has the coordinates ${x}, ${y}, which lie outside the projection the file names`,
      )
    }
    return checkPosition(lon, lat)
  }
}

const projectionHint = 'Is the file in another projection?'

/** Returns a position if it is on earth. @throws GeometryProblem otherwise */
function checkPosition(lon: number, lat: number): Position {
  const mayBeSwapped = Math.abs(lat) <= 180 && Math.abs(lon) <= 90
  return [
    checkRange('longitude', lon, 180, projectionHint),
    checkRange('latitude', lat, 90, mayBeSwapped ? 'Are longitude and latitude swapped?' : projectionHint),
  ]
}

function checkRange(axis: 'longitude' | 'latitude', value: number, limit: number, hint: string): number {
  if (Math.abs(value) <= limit) return value
  if (Math.abs(value) <= limit + maxRoundingDegrees) return Math.sign(value) * limit
  throw new GeometryProblem(
    'outside-world',
    `has a ${axis} of ${value}; ${axis}s run from -${limit} to ${limit}. ${hint}`,
  )
}

function formatPosition(raw: readonly unknown[]): string {
  return `[${raw
    .slice(0, 3)
    .map((part) => (part === null || typeof part !== 'object' ? String(part).slice(0, 20) : '…'))
    .join(', ')}]`
}
