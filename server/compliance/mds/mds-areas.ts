import type { MdsGeography } from '#contract/mds-policy.ts'
import { BoundaryFileError, GeometryProblem } from '#server/geography/boundary-files/boundary-file-error.ts'
import { toPlainGeometries } from '#server/geography/boundary-files/plain-geometries.ts'
import { PositionReader } from '#server/geography/boundary-files/position-reader.ts'
import { TangledError } from '#server/geography/geometry/repair/edge-pairs.ts'
import { repairShape } from '#server/geography/geometry/repair-shape.ts'
import type { Area, Place } from '../rule.ts'
import { removeDuplicates, RuleProblem } from './read-mds-rule.ts'
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js'
import IndexedPointInAreaLocator from 'jsts/org/locationtech/jts/algorithm/locate/IndexedPointInAreaLocator.js'
import RelateOp from 'jsts/org/locationtech/jts/operation/relate/RelateOp.js'
import type { BoundaryGeometry } from '#server/geography/boundary-files/boundary-geometry.ts'
import { computeBounds } from '#server/geography/boundary-files/geometry-bounds.ts'
import { toJts } from '#server/geography/geometry/repair/jts.ts'
import { measureDistance } from '#server/geography/geometry/distance.ts'

/** A point counts as a circle with this radius. */
const pointRadiusMeters = 20
/** JTS location of a point outside an area. The others are 0 (inside) and 1 (on the border). */
const jtsOutside = 2

/** Returns a function that tests whether a place is in a geometry. */
function createPlaceTest(geometry: BoundaryGeometry): (place: Place) => boolean {
  switch (geometry.type) {
    case 'Polygon':
    case 'MultiPolygon': {
      const [west, south, east, north] = computeBounds([geometry])
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
        locator.locate(new Coordinate(lon, lat)) !== jtsOutside
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
      return (place) => centers.some((center) => measureDistance(center, place) <= pointRadiusMeters)
    }
  }
}

/**
 * Returns the union of geometries. Borders are inside, a point is a circle of 20 m, and an unknown place
 * (NaN) is outside.
 * @param geometries Valid geometries, as `repairShape` returns them.
 */
export function computeUnionArea(geometries: readonly BoundaryGeometry[]): Area {
  const tests = geometries.map(createPlaceTest)
  return { contains: (place) => !Number.isNaN(place.lon + place.lat) && tests.some((test) => test(place)) }
}

type JsonObject = Record<string, unknown>

/** Returns the geometry of a feature, the geometries of a feature collection, or the geometry itself. */
function extractGeometry(geojson: unknown): unknown {
  if (typeof geojson !== 'object' || geojson === null) return null
  const { type, features, geometry } = geojson as JsonObject
  if (type === 'FeatureCollection')
    return {
      type: 'GeometryCollection',
      geometries: (Array.isArray(features) ? features : [])
        .map(extractGeometry)
        .filter((geometry) => geometry !== null && geometry !== undefined),
    }
  return type === 'Feature' ? geometry : geojson
}

const isPosition = (nested: unknown): nested is number[] =>
  Array.isArray(nested) && typeof nested[0] === 'number'

/** Finds the first longitude in nested lists of positions; 0 if there is none. */
function findFirstLongitude(nested: unknown): number {
  if (isPosition(nested)) return nested[0] as number
  return Array.isArray(nested) && nested.length ? findFirstLongitude(nested[0]) : 0
}

function shiftLongitudes(nested: unknown, degrees: number): unknown {
  if (isPosition(nested)) return [(nested[0] as number) + degrees, ...nested.slice(1)]
  return Array.isArray(nested) ? nested.map((inner) => shiftLongitudes(inner, degrees)) : nested
}

/** Shifts a geometry that begins beyond 180 degrees, as some maps draw it, back by full turns. */
function normalizeLongitudes(geometry: unknown): unknown {
  if (typeof geometry !== 'object' || geometry === null) return geometry
  const { geometries, coordinates } = geometry as JsonObject
  if (Array.isArray(geometries)) return { ...geometry, geometries: geometries.map(normalizeLongitudes) }
  const degrees = -360 * Math.round(findFirstLongitude(coordinates) / 360)
  return degrees && Number.isFinite(degrees)
    ? { ...geometry, coordinates: shiftLongitudes(coordinates, degrees) }
    : geometry
}

/** Adds a period unless the text ends with a punctuation mark. */
const toSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

function readGeographyArea({ geography_id: id, geography_json: geojson }: MdsGeography): Area {
  try {
    const geometries = toPlainGeometries(
      normalizeLongitudes(extractGeometry(geojson)),
      new PositionReader(),
    ).flatMap((geometry) => repairShape(geometry).geometry ?? [])
    if (!geometries.length) throw new RuleProblem(`Geography ${id} encloses nothing.`)
    return computeUnionArea(geometries)
  } catch (error) {
    if (error instanceof GeometryProblem)
      throw new RuleProblem(toSentence(`Geography ${id} ${error.message}`))
    if (error instanceof BoundaryFileError || error instanceof TangledError)
      throw new RuleProblem(toSentence(`Geography ${id}: ${error.message}`))
    throw error
  }
}

/**
 * Returns a function that finds the area of geographies by their ids. Each geography is parsed once, on first
 * use.
 * @throws RuleProblem if a geography is missing, has two different geometries, or is not GeoJSON.
 */
export function createMdsAreas(geographies: readonly MdsGeography[]): (ids: readonly string[]) => Area {
  const areasById = new Map<string, Area>()
  const findArea = (id: string): Area => {
    const cached = areasById.get(id)
    if (cached) return cached
    const [geography] = removeDuplicates(
      geographies.filter((geography) => geography.geography_id === id),
      () => `Geography ${id}`,
    )
    if (!geography) throw new RuleProblem(`There is no geography ${id}.`)
    const area = readGeographyArea(geography)
    areasById.set(id, area)
    return area
  }
  return (ids) => {
    const areas = ids.map(findArea)
    return { contains: (place) => areas.some((area) => area.contains(place)) }
  }
}
