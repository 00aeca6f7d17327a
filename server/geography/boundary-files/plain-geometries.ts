import type { Position } from 'geojson'
import type { BoundaryGeometry } from './boundary-geometry.ts'
import { GeometryProblem } from './boundary-file-error.ts'
import { limits } from './limits.ts'
import type { PositionReader } from './position-reader.ts'

type Parts = { points: Position[]; lines: Position[][]; polygons: Position[][][] }

/**
 * Validates a GeoJSON geometry and converts it to at most one geometry per kind (area, line, point), in two
 * dimensions and WGS 84. Rings are repaired later.
 * @throws GeometryProblem if any part is invalid, because a shape without the part would be wrong.
 */
export function toPlainGeometries(raw: unknown, positions: PositionReader): BoundaryGeometry[] {
  const parts: Parts = { points: [], lines: [], polygons: [] }
  const type = collectParts(raw, parts, positions, 0)
  const geometries: BoundaryGeometry[] = []
  const { points, lines, polygons } = parts
  const [polygon] = polygons
  if (polygon !== undefined)
    geometries.push(
      polygons.length > 1 || type === 'MultiPolygon'
        ? { type: 'MultiPolygon', coordinates: polygons }
        : { type: 'Polygon', coordinates: polygon },
    )
  const [line] = lines
  if (line !== undefined)
    geometries.push(
      lines.length > 1 || type === 'MultiLineString'
        ? { type: 'MultiLineString', coordinates: lines }
        : { type: 'LineString', coordinates: line },
    )
  const [point] = points
  if (point !== undefined)
    geometries.push(
      points.length > 1 || type === 'MultiPoint'
        ? { type: 'MultiPoint', coordinates: points }
        : { type: 'Point', coordinates: point },
    )
  if (geometries.length === 0)
    throw new GeometryProblem('empty-geometry', 'has a geometry without any position')
  return geometries
}

/** Adds a geometry, or the members of a collection, to `parts`. Returns its GeoJSON type. */
function collectParts(raw: unknown, parts: Parts, positions: PositionReader, depth: number): string {
  if (raw === null || raw === undefined) throw new GeometryProblem('no-geometry', 'has no geometry')
  if (typeof raw !== 'object')
    throw new GeometryProblem('bad-geometry', 'has a geometry that is not an object')
  const type = 'type' in raw ? String(raw.type) : ''
  if (type === 'GeometryCollection') {
    if (depth >= limits.collectionDepth)
      throw new GeometryProblem(
        'bad-geometry',
        `contains geometry collections nested more than ${limits.collectionDepth} deep`,
      )
    for (const member of requireList('geometries' in raw ? raw.geometries : null))
      collectParts(member, parts, positions, depth + 1)
    return type
  }
  const coordinates = 'coordinates' in raw ? raw.coordinates : null
  const readLine = (value: unknown): Position[] =>
    requireList(value).map((position) => positions.read(position))
  const readPolygon = (value: unknown): Position[][] =>
    requireList(value)
      .map(readLine)
      .filter((ring) => ring.length > 0)
  switch (type) {
    case 'Point':
      if (requireList(coordinates).length > 0) parts.points.push(positions.read(coordinates))
      break
    case 'MultiPoint':
      for (const position of readLine(coordinates)) parts.points.push(position)
      break
    case 'LineString':
      addNonEmpty(parts.lines, readLine(coordinates))
      break
    case 'MultiLineString':
      for (const part of requireList(coordinates)) addNonEmpty(parts.lines, readLine(part))
      break
    case 'Polygon':
      addNonEmpty(parts.polygons, readPolygon(coordinates))
      break
    case 'MultiPolygon':
      for (const part of requireList(coordinates)) addNonEmpty(parts.polygons, readPolygon(part))
      break
    default:
      throw new GeometryProblem(
        'bad-geometry',
        type === ''
          ? 'has a geometry without a type'
          : `has a geometry of the unknown type “${type.slice(0, 40)}”`,
      )
  }
  return type
}

function addNonEmpty<Part>(list: Part[][], part: Part[]): void {
  if (part.length > 0) list.push(part)
}

/** @throws GeometryProblem if a value is not a list. */
function requireList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value))
    throw new GeometryProblem('bad-geometry', 'has coordinates that are not nested as its type requires')
  return value
}
