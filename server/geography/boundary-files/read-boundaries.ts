import { boundaryBytesLimit } from '#contract/boundary-files.ts'
import { BoundaryFileError } from './boundary-file-error.ts'
import type { ReadBoundaries, Format } from './boundary-content.ts'
import { limits } from './limits.ts'
import { geojsonLinesFormat } from './geojson-lines-format.ts'
import { mdsGeographyFormat } from './mds-geography-format.ts'
import { zipFormat } from './zip-format.ts'
import { addGeoJson } from './add-geojson.ts'
import { FeatureCollector } from './feature-collector.ts'
import { readHeadText } from './decode-text.ts'
import { parseJson } from './parse-json.ts'
import { addGeopackage } from './add-geopackage.ts'
import { addKml } from './add-kml.ts'

/** Signatures of other kinds of files. */
const otherSignatures: readonly (readonly [signature: string, kind: string])[] = [
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['%PDF', 'a PDF document'],
  ['Rar!', 'a RAR archive'],
  ['7z\xbc\xaf', 'a 7-Zip archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['II*\0', 'a TIFF image'],
]

/** Returns the error for a file that starts like another kind of file; null if it may be a boundary file. */
function detectOtherFile(
  head: Uint8Array,
): { code: 'unknown-format' | 'shapefile-not-zipped'; text: string } | null {
  const start = String.fromCharCode(...head.subarray(0, 16))
  const [, kind] = otherSignatures.find(([signature]) => start.startsWith(signature)) ?? []
  if (kind !== undefined)
    return {
      code: 'unknown-format',
      text: `The file is ${kind}, despite its extension. Supported formats: GeoJSON, zipped shapefile, KML, KMZ, GeoPackage, MDS Geography.`,
    }
  if (start.startsWith('\0\0\x27\x0a')) {
    return {
      code: 'shapefile-not-zipped',
      text: 'A shapefile is several files that belong together. Put the .shp, .dbf, .prj (and .cpg) files into one zip and send that.',
    }
  }
  return null
}

/** OGC KML, the format of Google Earth. */
export const kmlFormat = {
  key: 'kml',
  title: 'KML',
  detect(name, head) {
    const text = readHeadText(head)
    if (text.startsWith('<') && /<([\w-]+:)?(kml|Placemark)[\s>]/.test(text)) return 'by content'
    return name.endsWith('.kml') ||
      (text.startsWith('<?xml') && !/<([\w-]+:)?(gpx|html|svg|osm)[\s>]/i.test(text))
      ? 'by name'
      : null
  },
  read(bytes) {
    const collector = new FeatureCollector('Placemark')
    addKml(bytes, collector)
    return collector.finish('kml')
  },
} satisfies Format

const sqliteSignature = 'SQLite format 3\0'

/** OGC GeoPackage, the default format of QGIS: tables of shapes in an SQLite database. */
const geopackageFormat: Format = {
  key: 'geopackage',
  title: 'GeoPackage',
  detect(name, head) {
    if (String.fromCharCode(...head.subarray(0, sqliteSignature.length)) === sqliteSignature)
      return 'by content'
    return name.endsWith('.gpkg') ? 'by name' : null
  },
  read(bytes) {
    const collector = new FeatureCollector('Row')
    addGeopackage(bytes, collector)
    return collector.finish(geopackageFormat.key)
  },
}

/** A GeoJSON value: FeatureCollection, Feature, geometry, or a list of features. */
export const geojsonFormat = {
  key: 'geojson',
  title: 'GeoJSON',
  detect(name, head) {
    if (/^[{[]/.test(readHeadText(head))) return 'by content'
    return /\.(geo)?json$/.test(name) ? 'by name' : null
  },
  read(bytes) {
    const collector = new FeatureCollector('Feature')
    addGeoJson(parseJson(bytes, collector), collector)
    return collector.finish('geojson')
  },
} satisfies Format

/** All formats, more specific ones first: MDS and GeoJSON lines are JSON too. */
const formats: readonly Format[] = [
  zipFormat,
  geopackageFormat,
  mdsGeographyFormat,
  geojsonLinesFormat,
  geojsonFormat,
  kmlFormat,
]

/**
 * Reads a boundary file. Its format is detected by content, or else by name.
 * @throws BoundaryFileError with a message for the user who uploaded the file.
 */
export async function readBoundaries(fileName: string, bytes: Uint8Array): Promise<ReadBoundaries> {
  if (bytes.length === 0) throw new BoundaryFileError('empty-file', 'The file is empty (0 bytes).')
  if (bytes.length > boundaryBytesLimit) {
    throw new BoundaryFileError(
      'file-too-large',
      `The file has ${Math.ceil(bytes.length / 2 ** 20)} MB; at most ${boundaryBytesLimit / 2 ** 20} MB are read. Simplify the borders or send it in parts.`,
    )
  }
  const name = fileName.toLowerCase()
  const head = bytes.subarray(0, limits.headBytes)
  const otherFile = detectOtherFile(head)
  if (otherFile !== null) throw new BoundaryFileError(otherFile.code, otherFile.text)
  const candidates = formats.map((format) => ({ format, match: format.detect(name, head) }))
  const detected =
    candidates.find(({ match }) => match === 'by content') ??
    candidates.find(({ match }) => match === 'by name')
  if (detected === undefined) {
    throw new BoundaryFileError(
      'unknown-format',
      'The file is not of a kind that contains shapes. These are read: GeoJSON, zipped shapefile, KML, KMZ, GeoPackage, MDS Geography.',
    )
  }
  return detected.format.read(bytes)
}
