import type { MultiPolygon, Polygon, Position } from 'geojson'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js'
import BufferParameters from 'jsts/org/locationtech/jts/operation/buffer/BufferParameters.js'
import proj4 from 'proj4'
import type { BoundaryGeometry } from '../boundary-files/boundary-geometry.ts'
import { computeBounds } from '../boundary-files/geometry-bounds.ts'
import { convertFromJts, toJts } from './repair/jts.ts'
import { orientRings } from './repair/ring-area.ts'

interface LocalPlane {
  /** Converts degrees to meters east and north of the center. */
  flatten(position: Position): Position
  /** Converts meters back to degrees. */
  lift(position: readonly [number, number]): Position
}

/**
 * Returns a plane in meters around a center (azimuthal equidistant projection of the WGS 84 ellipsoid).
 * Distances from the center are exact. Perpendicular lengths at distance d are too long by (d/R)²/6, R = 6371
 * km: 0.01 ‰ at 50 km, 0.04 ‰ at 100 km, 1 ‰ at 490 km.
 */
function createLocalPlane(longitude: number, latitude: number): LocalPlane {
  const projection = proj4(`+proj=aeqd +lat_0=${latitude} +lon_0=${longitude} +ellps=WGS84 +units=m +no_defs`)
  return {
    flatten: ([x = 0, y = 0]) => projection.forward([x, y]),
    lift(position) {
      const [lon = 0, lat = 0] = projection.inverse([position[0], position[1]])
      // A shape near longitude 180 grows past it instead of being torn apart.
      const turns = Math.round((longitude - lon) / 360)
      return [lon + 360 * turns, lat]
    },
  }
}

/** Segments per quarter circle. Round corners are short by at most 1 - cos(90°/32) = 0.12% of the distance. */
const quadrantSegments = 16
/**
 * Tolerance of simplification before buffering, as a share of the distance. The default of 0.01 would exceed
 * all other errors.
 */
const simplifyFactor = 0.0005
/** Vertices closer than this are merged. */
const minSpacingMeters = 0.0001

/**
 * Grows a shape by a distance on all sides, or shrinks it if the distance is negative. Returns null if
 * nothing is left. The distance is accurate to 0.2% within 490 km of the center of the shape and to 0.4%
 * within 1000 km (see `createLocalPlane`). Not for shapes that contain a pole or span half the globe.
 * @param geometry A valid geometry (`repairShape`).
 */
export function growShape(geometry: BoundaryGeometry, meters: number): Polygon | MultiPolygon | null {
  if (!Number.isFinite(meters)) throw new RangeError(`A shape cannot grow by ${meters} meters.`)
  const [west, south, east, north] = computeBounds([geometry])
  if (!Number.isFinite(west)) return null
  if (meters === 0) return geometry.type === 'Polygon' || geometry.type === 'MultiPolygon' ? geometry : null
  const plane = createLocalPlane((west + east) / 2, (south + north) / 2)
  const parameters = new BufferParameters()
  parameters.setQuadrantSegments(quadrantSegments)
  parameters.setSimplifyFactor(simplifyFactor)
  const grown = convertFromJts(BufferOp.bufferOp(flatten(geometry, plane.flatten), meters, parameters))
  const lifted = orientRings(
    grown.map((rings) => rings.map((ring) => closeRing(ring.map(([x = 0, y = 0]) => plane.lift([x, y]))))),
  )
  const [polygon] = lifted
  if (polygon === undefined) return null
  return lifted.length === 1
    ? { type: 'Polygon', coordinates: polygon }
    : { type: 'MultiPolygon', coordinates: lifted }
}

/** Converts a geometry to JTS on a plane. */
function flatten(geometry: BoundaryGeometry, project: (position: Position) => Position): Geometry {
  const { factory } = toJts
  const projectAll = (positions: Position[]): Position[] => positions.map(project)
  const toPolygon = (rings: Position[][]): Geometry => {
    const [outer = [], ...holes] = rings.map((ring) => removeNearPositions(projectAll(ring)))
    if (outer.length > 3) return toJts.polygon([outer, ...holes.filter(({ length }) => length > 3)])
    // An area thinner than the spacing collapses to a line.
    const [first, second] = outer
    return second === undefined || outer.length < 3 ? toPoint(first ?? []) : toJts.line([first ?? [], second])
  }
  const toPoint = ([x = 0, y = 0]: Position): Geometry => factory.createPoint(new Coordinate(x, y))
  switch (geometry.type) {
    case 'Polygon':
      return toPolygon(geometry.coordinates)
    case 'MultiPolygon':
      return factory.createGeometryCollection(geometry.coordinates.map(toPolygon))
    case 'LineString':
      return toJts.line(projectAll(geometry.coordinates))
    case 'MultiLineString':
      return factory.createGeometryCollection(
        geometry.coordinates.map((line) => toJts.line(projectAll(line))),
      )
    case 'Point':
    case 'MultiPoint': {
      const points = geometry.type === 'Point' ? [geometry.coordinates] : geometry.coordinates
      return factory.createGeometryCollection(projectAll(points).map(toPoint))
    }
  }
}

/** Removes vertices at the place of the previous one: the buffer of an edge without direction is invalid. */
function removeNearPositions(ring: Position[]): Position[] {
  const spaced: Position[] = []
  for (const position of ring.slice(0, -1)) if (!isNear(position, spaced.at(-1))) spaced.push(position)
  while (spaced.length > 1 && isNear(spaced[0] ?? [], spaced.at(-1))) spaced.pop()
  return [...spaced, ...spaced.slice(0, 1)]
}

const isNear = ([x = 0, y = 0]: Position, other: Position | undefined): boolean =>
  other !== undefined && Math.hypot(x - (other[0] ?? 0), y - (other[1] ?? 0)) < minSpacingMeters

/** Makes a ring end exactly where it begins: on some machines, projecting twice differs in the last bit. */
function closeRing(ring: Position[]): Position[] {
  const [first] = ring
  return first === undefined ? ring : [...ring.slice(0, -1), first]
}
