import proj4 from 'proj4'
import { BoundaryFileError } from './boundary-file-error.ts'
import type { FeatureCollector } from './feature-collector.ts'
import { limits } from './limits.ts'
import type { Projector } from './projector.ts'

/**
 * Semi-major axis in meters of WGS 84 and of GRS 80, which NAD 83 and ETRS 89 use: datums within a meter or
 * two of WGS 84.
 */
const modernRadius = 6378137

/** The projector for the WKT of a .prj file; null for degrees on WGS 84 or a datum as close as NAD 83. */
export function projectorByWkt(
  text: string,
  fileName: string,
  collector: FeatureCollector,
): Projector | null {
  const wkt = text.trim().slice(0, limits.projectionTextLength)
  const title = /^\s*\w+\s*\[\s*"([^"]*)"/.exec(wkt)?.[1] ?? 'an unnamed projection'
  const radius = Number(/(?:SPHEROID|ELLIPSOID)\s*\[\s*"[^"]*"\s*,\s*([\d.]+)/i.exec(wkt)?.[1])
  const isModern = radius === modernRadius
  // Degrees are not converted, which would change their last digits.
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
    collector.note(null, 'reprojected', `${fileName} was brought from ${title} to longitude and latitude.`)
    return (x, y) => projection.inverse([x, y]) as [number, number]
  } catch {
    throw new BoundaryFileError(
      'unknown-projection',
      `The projection of ${fileName} (${title.slice(0, 80)}) cannot be read. Save the shapefile in longitude and latitude (WGS 84, EPSG:4326) and send it again.`,
    )
  }
}
