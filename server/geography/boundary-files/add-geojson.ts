import { BoundaryFileError } from './boundary-file-error.ts'
import type { FeatureCollector } from './feature-collector.ts'
import { readFeatureProperties, getJsonMember } from './parse-json.ts'
import { findProjectorByName } from './projector.ts'

const geometryTypes = new Set([
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
  'GeometryCollection',
])

/** Adds every record of a parsed GeoJSON value (RFC 7946, with the `crs` member of GeoJSON 2008). */
export function addGeoJson(value: unknown, collector: FeatureCollector): void {
  const crs = getCrsName(value)
  if (crs !== null) collector.setProjector(findProjectorByName(crs, collector))
  const type = getJsonMember(value, 'type')
  if (Array.isArray(value)) return value.forEach((member, index) => addRecord(member, index + 1, collector))
  if (type === 'FeatureCollection') {
    const features = getJsonMember(value, 'features')
    if (!Array.isArray(features))
      throw new BoundaryFileError(
        'not-geojson',
        'The file says it is a FeatureCollection but has no list called “features”.',
      )
    features.forEach((member, index) => addRecord(member, index + 1, collector))
  } else if (type === 'GeometryCollection') {
    const geometries = getJsonMember(value, 'geometries')
    if (!Array.isArray(geometries))
      throw new BoundaryFileError(
        'not-geojson',
        'The file says it is a GeometryCollection but has no list called “geometries”.',
      )
    geometries.forEach((member, index) => collector.add(index + 1, member, null))
  } else if (type === 'Feature' || geometryTypes.has(String(type))) {
    addRecord(value, 1, collector)
  } else {
    throw new BoundaryFileError(
      'not-geojson',
      `The file is JSON but not GeoJSON: ${describeJson(value, type)}. Export the shapes as GeoJSON and send that.`,
    )
  }
}

function addRecord(value: unknown, position: number, collector: FeatureCollector): void {
  const type = getJsonMember(value, 'type')
  if (type === 'Feature') {
    collector.add(position, getJsonMember(value, 'geometry'), readFeatureProperties(value))
  } else if (geometryTypes.has(String(type))) {
    collector.add(position, value, null)
  } else {
    collector.note(
      position,
      'not-a-feature',
      `Feature ${position} is not a GeoJSON feature and was left out.`,
    )
  }
}

function getCrsName(value: unknown): string | null {
  const crs = getJsonMember(value, 'crs')
  const properties = getJsonMember(crs, 'properties')
  const name = getJsonMember(properties, 'name') ?? getJsonMember(properties, 'code')
  return typeof name === 'string' || typeof name === 'number' ? String(name) : null
}

function describeJson(value: unknown, type: unknown): string {
  if (type === 'Topology') return 'it is TopoJSON'
  if (getJsonMember(value, 'geometryType') !== undefined || getJsonMember(value, 'rings') !== undefined)
    return 'it looks like Esri JSON'
  if (typeof type === 'string') return `its type is “${type.slice(0, 40)}”`
  return 'it has no “type” such as FeatureCollection'
}
