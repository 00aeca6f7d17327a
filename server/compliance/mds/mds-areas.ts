import type { MdsGeography } from '#contract/mds-policy.ts'
import { BoundaryFileError, GeometryProblem } from '#server/geography/boundary-files/boundary-file-error.ts'
import { plainGeometries } from '#server/geography/boundary-files/plain-geometries.ts'
import { PositionReader } from '#server/geography/boundary-files/position-reader.ts'
import { TangledError } from '#server/geography/geometry/repair/edge-pairs.ts'
import { repairShape } from '#server/geography/geometry/repair-shape.ts'
import type { Area, Place } from '../rule.ts'
import { onlyOnce, RuleProblem } from './read-mds-rule.ts'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import IndexedPointInAreaLocator from 'jsts/org/locationtech/jts/algorithm/locate/IndexedPointInAreaLocator.js'
import RelateOp from 'jsts/org/locationtech/jts/operation/relate/RelateOp.js'
import type { BoundaryGeometry } from '#server/geography/boundary-files/boundary-geometry.ts'
import { geometryBounds } from '#server/geography/boundary-files/geometry-bounds.ts'
import { toJts } from '#server/geography/geometry/repair/jts.ts'
import { metersBetween } from '#server/geography/geometry/distance.ts'

/** A point is a circle of this many meters. */
const pointRadius = 20
/** The position of a point in an area, as JTS numbers it: 0 inside, 1 on the border, 2 outside. */
const outside = 2

type Test = (place: Place) => boolean

function testOf(geometry: BoundaryGeometry): Test {
  switch (geometry.type) {
    case 'Polygon':
    case 'MultiPolygon': {
      const [west, south, east, north] = geometryBounds([geometry])
      const locator = new IndexedPointInAreaLocator(
        geometry.type === 'Polygon'
          ? toJts.polygon(geometry.coordinates)
          : toJts.multiPolygon(geometry.coordinates),
      )
      return ({ lon, lat }) =>
        lon >= west &&
        lon <= east &&
        lat >= south &&
        lat <= north &&
        locator.locate(new Coordinate(lon, lat)) !== outside
    }
    case 'LineString':
    case 'MultiLineString': {
      const lines = (geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates).map(
        (line) => toJts.line(line),
      )
      return ({ lon, lat }) =>
        lines.some((line) => RelateOp.intersects(line, toJts.factory.createPoint(new Coordinate(lon, lat))))
    }
    case 'Point':
    case 'MultiPoint': {
      const centers = (geometry.type === 'Point' ? [geometry.coordinates] : geometry.coordinates).map(
        ([lon = 0, lat = 0]) => ({ lon, lat }),
      )
      return (place) => centers.some((center) => metersBetween(center, place) <= pointRadius)
    }
  }
}

/** The area of several geometries together: borders are inside, a point is a circle of 20 m, an unknown place (NaN) is outside. @param geometries Valid, as `repairShape` returns them. */
export function areaOf(geometries: readonly BoundaryGeometry[]): Area {
  const tests = geometries.map(testOf)
  return { contains: (place) => !Number.isNaN(place.lon + place.lat) && tests.some((test) => test(place)) }
}

type Drawn = Record<string, unknown>

/** The geometry of a feature, of all features of a collection, or the geometry itself. */
function geometryOf(drawn: unknown): unknown {
  if (typeof drawn !== 'object' || drawn === null) return null
  const { type, features, geometry } = drawn as Drawn
  if (type === 'FeatureCollection')
    return {
      type: 'GeometryCollection',
      geometries: (Array.isArray(features) ? features : [])
        .map(geometryOf)
        .filter((each) => each !== null && each !== undefined),
    }
  return type === 'Feature' ? geometry : drawn
}

const isPosition = (nested: unknown): nested is number[] =>
  Array.isArray(nested) && typeof nested[0] === 'number'
const firstOf = (nested: unknown): number =>
  isPosition(nested) ? (nested[0] as number) : Array.isArray(nested) && nested.length ? firstOf(nested[0]) : 0
const turned = (nested: unknown, turn: number): unknown =>
  isPosition(nested)
    ? [(nested[0] as number) + turn, ...nested.slice(1)]
    : Array.isArray(nested)
      ? nested.map((each) => turned(each, turn))
      : nested

/** Some maps count beyond 180 degrees: a geometry that begins beyond is shifted back as a whole. */
function inWorld(geometry: unknown): unknown {
  if (typeof geometry !== 'object' || geometry === null) return geometry
  const { geometries, coordinates } = geometry as Drawn
  if (Array.isArray(geometries)) return { ...geometry, geometries: geometries.map(inWorld) }
  const turn = -360 * Math.round(firstOf(coordinates) / 360)
  return turn && Number.isFinite(turn) ? { ...geometry, coordinates: turned(coordinates, turn) } : geometry
}

const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

function areaOfGeography({ geography_id: id, geography_json: drawn }: MdsGeography): Area {
  try {
    const geometries = plainGeometries(inWorld(geometryOf(drawn)), new PositionReader()).flatMap(
      (geometry) => repairShape(geometry).geometry ?? [],
    )
    if (!geometries.length) throw new RuleProblem(`Geography ${id} encloses nothing.`)
    return areaOf(geometries)
  } catch (error) {
    if (error instanceof GeometryProblem)
      throw new RuleProblem(asSentence(`Geography ${id} ${error.message}`))
    if (error instanceof BoundaryFileError || error instanceof TangledError)
      throw new RuleProblem(asSentence(`Geography ${id}: ${error.message}`))
    throw error
  }
}

/**
 * The areas of geographies by their ids, each parsed once.
 * @throws RuleProblem If one is missing, has two different geometries, or is not GeoJSON.
 */
export function mdsAreas(geographies: readonly MdsGeography[]): (ids: readonly string[]) => Area {
  const read = new Map<string, Area>()
  const one = (id: string): Area => {
    const cached = read.get(id)
    if (cached) return cached
    const [geography] = onlyOnce(
      geographies.filter((each) => each.geography_id === id),
      () => `Geography ${id}`,
    )
    if (!geography) throw new RuleProblem(`There is no geography ${id}.`)
    const area = areaOfGeography(geography)
    read.set(id, area)
    return area
  }
  return (ids) => {
    const areas = ids.map(one)
    return { contains: (place) => areas.some((area) => area.contains(place)) }
  }
}
