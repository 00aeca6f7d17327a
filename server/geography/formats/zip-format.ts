import { addGeoJson } from './add-geojson.ts'
import { addKml } from './add-kml.ts'
import { addShapefile } from './add-shapefile.ts'
import { BoundaryFileError } from './boundary-file-error.ts'
import { decodeText } from './decode-text.ts'
import { FeatureCollector } from './feature-collector.ts'
import type { Format } from './boundaries-read.ts'
import { limits } from './limits.ts'
import { parseJson } from './parse-json.ts'
import { readZip } from './read-zip.ts'

type Entry = ReturnType<typeof readZip>[number]

const signature = [0x50, 0x4b]

/** A zip of shapefiles, KML (KMZ) or GeoJSON in any folder, detected by content. */
export const zipFormat: Format = {
  key: 'zip',
  title: 'Zipped shapefile, KMZ',
  detect(name, head) {
    const [a, b, c = 0, d = 0] = head
    if (a === signature[0] && b === signature[1] && c < 9 && d < 9) return 'by content'
    return /\.(zip|kmz)$/.test(name) ? 'by name' : null
  },
  read(bytes) {
    const entries = readZip(bytes).filter(
      (entry) => !/(^|\/)(__MACOSX\/|\._)/.test(entry.name) && !entry.name.endsWith('/'),
    )
    const withExtension = (pattern: RegExp): Entry[] =>
      entries.filter((entry) => pattern.test(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1))
    const shp = withExtension(/\.shp$/i)
    if (shp.length > 0)
      return readAll('shapefile', 'Record', shp, (entry, collector, before) =>
        addShapefile(partsOf(entry, entries), collector, before),
      )
    const kml = withExtension(/\.kml$/i)
    if (kml.length > 0)
      return readAll('kmz', 'Placemark', kml, (entry, collector, before) =>
        addKml(entry.unpack(), collector, before),
      )
    const json = withExtension(/\.(geo)?json$/i)
    const [only] = json
    if (json.length > 1)
      throw new BoundaryFileError(
        'zip-without-boundaries',
        `The zip holds ${json.length} GeoJSON files. Send one at a time.`,
      )
    if (only !== undefined) return readAll('geojson', 'Feature', json, addZippedGeoJson)
    throw new BoundaryFileError(
      'zip-without-boundaries',
      'The zip holds no shapefile (.shp), KML or GeoJSON.',
    )
  },
}

function readAll(
  format: string,
  noun: string,
  entries: Entry[],
  add: (entry: Entry, collector: FeatureCollector, before: number) => number,
): ReturnType<Format['read']> {
  const collector = new FeatureCollector(noun)
  const spans: string[] = []
  let count = 0
  for (const entry of entries) {
    const added = add(entry, collector, count)
    spans.push(
      added === 0
        ? `${entry.name} (empty)`
        : `${entry.name} (${noun.toLowerCase()}s ${count + 1}–${count + added})`,
    )
    count += added
  }
  if (entries.length > 1)
    collector.note(
      null,
      'several-files',
      `The zip holds ${entries.length} files of shapes; all were read: ${spans.slice(0, 20).join(', ')}${spans.length > 20 ? ' …' : ''}.`,
    )
  return collector.finish(format)
}

function addZippedGeoJson(entry: Entry, collector: FeatureCollector): number {
  if (entry.size > limits.jsonBytes)
    throw new BoundaryFileError(
      'zip-too-large',
      `${entry.name} unpacks to more than ${limits.jsonBytes / 2 ** 20} MB.`,
    )
  addGeoJson(parseJson(entry.unpack(), collector), collector)
  return 1
}

/** The files of a shapefile, which share a name in any case. */
function partsOf(shp: Entry, entries: Entry[]): Parameters<typeof addShapefile>[0] {
  const stem = shp.name.slice(0, -'shp'.length).toLowerCase()
  const read = (extension: string): Uint8Array | null =>
    entries.find((entry) => entry.name.toLowerCase() === stem + extension)?.unpack() ?? null
  const readText = (extension: string): string | null => {
    const bytes = read(extension)
    return bytes === null ? null : decodeText(bytes).text
  }
  return { name: shp.name, shp: shp.unpack(), dbf: read('dbf'), prj: readText('prj'), cpg: readText('cpg') }
}
