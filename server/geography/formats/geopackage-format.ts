import { addGeopackage } from './add-geopackage.ts'
import { FeatureCollector } from './feature-collector.ts'
import type { Format } from './format.ts'

const signature = 'SQLite format 3\0'

/** OGC GeoPackage, the file that QGIS writes by default: tables of shapes in an SQLite database. */
export const geopackageFormat: Format = {
  key: 'geopackage',
  title: 'GeoPackage',
  recognises(name, head) {
    if (String.fromCharCode(...head.subarray(0, signature.length)) === signature) return 'by content'
    return name.endsWith('.gpkg') ? 'by name' : null
  },
  read(bytes) {
    const collector = new FeatureCollector('Row')
    addGeopackage(bytes, collector)
    return collector.finish(geopackageFormat.key)
  },
}
