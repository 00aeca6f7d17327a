import proj4 from 'proj4'
import { BoundaryFileError } from './boundary-file-error.ts'
import type { FeatureCollector } from './feature-collector.ts'
import { limits } from './limits.ts'
import type { Projector } from './position-reader.ts'

/** Codes of degrees on WGS 84 or a datum within a meter or two of it (NAD 83, ETRS 89, GDA 94 and 2020). */
const degreeCodes = new Set([
  '4326',
  '4269',
  '4258',
  '4979',
  '4283',
  '7844',
  '84',
  'CRS84',
  'CRS84H',
  'CRS83',
  '83',
])
/** Definitions of projections by EPSG code. */
const definitions: Record<string, string> = {
  3857: '+proj=merc +a=6378137 +b=6378137 +units=m +nadgrids=@null +no_defs',
  2154: '+proj=lcc +lat_1=49 +lat_2=44 +lat_0=46.5 +lon_0=3 +x_0=700000 +y_0=6600000 +ellps=GRS80 +units=m +no_defs',
  3035: '+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m +no_defs',
  27700:
    '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.1502,0.247,0.8421,-20.4894 +units=m +no_defs',
}
/** Other codes of EPSG:3857. */
const webMercator = new Set(['900913', '3785', '102100', '102113'])

/**
 * Returns the projector for a GeoJSON `crs` name such as EPSG:4326, urn:ogc:def:crs:EPSG::3857, CRS84 or a
 * plain code; null for degrees. GeoJSON always has longitude first, even for EPSG:4326, which defines the
 * reverse order.
 */
export function findProjectorByName(name: string, collector: FeatureCollector): Projector | null {
  const code = name.trim().toUpperCase().split(/[:/]/).at(-1) ?? ''
  if (degreeCodes.has(code)) return null
  const epsgCode = webMercator.has(code) ? '3857' : code
  const definition = Object.hasOwn(definitions, epsgCode) ? definitions[epsgCode] : makeUtmDefinition(code)
  if (definition === undefined) {
    throw new BoundaryFileError(
      'unknown-projection',
      `The file says its coordinates are in “${name.slice(0, 80)}”, which is not one of the projections known here. Save it in longitude and latitude (WGS 84, EPSG:4326) and send it again.`,
    )
  }
  const projection = proj4(definition)
  collector.note(
    null,
    'reprojected',
    `The coordinates were converted from ${name.slice(0, 80)} to longitude and latitude.`,
  )
  return (x, y) => projection.inverse([x, y]) as [number, number]
}

/** Defines UTM on WGS 84 (326xx north, 327xx south), NAD 83 (269xx), ETRS 89 (258xx); undefined for others. */
function makeUtmDefinition(code: string): string | undefined {
  const [, series, digits] = /^(326|327|269|258)(\d\d)$/.exec(code) ?? []
  const zone = Number(digits)
  if (series === undefined || zone < 1 || zone > 60) return undefined
  const hemisphere = series === '327' ? '+south ' : ''
  const datum = series.startsWith('32') ? 'datum=WGS84' : 'ellps=GRS80'
  return `+proj=utm +zone=${zone} ${hemisphere}+${datum} +units=m +no_defs`
}

/**
 * Semi-major axis in meters of WGS 84 and of GRS 80, which NAD 83 and ETRS 89 use: datums within a meter or
 * two of WGS 84.
 */
const modernRadiusMeters = 6378137

/** Finds the projector for the WKT of a .prj file; null for degrees on WGS 84 or a near datum (NAD 83). */
export function findProjectorByWkt(
  text: string,
  fileName: string,
  collector: FeatureCollector,
): Projector | null {
  const wkt = text.trim().slice(0, limits.projectionTextLength)
  const title = /^\s*\w+\s*\[\s*"([^"]*)"/.exec(wkt)?.[1] ?? 'an unnamed projection'
  const radius = Number(/(?:SPHEROID|ELLIPSOID)\s*\[\s*"[^"]*"\s*,\s*([\d.]+)/i.exec(wkt)?.[1])
  const isModern = radius === modernRadiusMeters
  // Degrees from Greenwich are not converted, which would change their last digits.
  if (
    isModern &&
    /^GEOG(CS|CRS)/i.test(wkt) &&
    /UNIT\s*\[\s*"degree[^"]*"/i.test(wkt) &&
    !/PRIMEM\s*\[\s*"[^"]*"\s*,\s*-?0*[1-9.]*[1-9]/i.test(wkt)
  )
    return null
  try {
    const projection = proj4(wkt)
    projection.inverse([0, 0])
    if (!isModern && !/TOWGS84/i.test(wkt)) {
      collector.note(
        null,
        'datum-approximate',
        `${fileName} is in ${title}, an older datum; without its correction table shapes may lie up to 200 m off. Save it in WGS 84 to be exact.`,
      )
    }
    collector.note(null, 'reprojected', `${fileName} was converted from ${title} to longitude and latitude.`)
    return (x, y) => projection.inverse([x, y]) as [number, number]
  } catch {
    throw new BoundaryFileError(
      'unknown-projection',
      `The projection of ${fileName} (${title.slice(0, 80)}) cannot be read. Save the shapefile in longitude and latitude (WGS 84, EPSG:4326) and send it again.`,
    )
  }
}
