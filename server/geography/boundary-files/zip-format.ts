import { ZipArchive, ZipError } from '#server/table-files/zip-archive.ts'
import { addGeoJson } from './add-geojson.ts'
import { addKml } from './add-kml.ts'
import { addShapefile } from './add-shapefile.ts'
import { BoundaryFileError } from './boundary-file-error.ts'
import { decodeText } from './decode-text.ts'
import { FeatureCollector } from './feature-collector.ts'
import type { Format, ReadBoundaries } from './boundary-content.ts'
import { limits } from './limits.ts'
import { parseJson } from './parse-json.ts'

interface Entry {
  name: string
  /** Declared size after decompression, which `unpack` enforces. */
  size: number
  unpack(): Promise<Uint8Array>
}

/** "PK". The next two bytes are numbers of the first record, which are small. */
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
  async read(bytes) {
    try {
      return await readArchive(await ZipArchive.open(bytes))
    } catch (error) {
      throw error instanceof ZipError ? new BoundaryFileError('broken-zip', error.message) : error
    }
  },
}

/** Reads the shapefiles or other boundary files of an archive. */
async function readArchive(archive: ZipArchive): Promise<ReadBoundaries> {
  if (archive.unpackedBytes > limits.unzippedBytes)
    throw new BoundaryFileError(
      'zip-too-large',
      `The zip archive would unpack to more than ${limits.unzippedBytes / 2 ** 20} MB. Send its files one by one.`,
    )
  const entries = archive.entries
    // Without folders and the metadata that macOS adds.
    .filter(({ name }) => !/(^|\/)(__MACOSX\/|\._)/.test(name) && !name.endsWith('/'))
    .map((entry): Entry => ({ name: entry.name, size: entry.bytes, unpack: () => archive.read(entry) }))
  const withExtension = (pattern: RegExp): Entry[] =>
    entries.filter((entry) => pattern.test(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const shp = withExtension(/\.shp$/i)
  if (shp.length > 0)
    return readAll('shapefile', 'Record', shp, async (entry, collector, previousCount) =>
      addShapefile(await readShapefileParts(entry, entries), collector, previousCount),
    )
  const kml = withExtension(/\.kml$/i)
  if (kml.length > 0)
    return readAll('kmz', 'Placemark', kml, async (entry, collector, previousCount) =>
      addKml(await entry.unpack(), collector, previousCount),
    )
  const json = withExtension(/\.(geo)?json$/i)
  if (json.length > 1)
    throw new BoundaryFileError(
      'zip-without-boundaries',
      `The zip contains ${json.length} GeoJSON files. Send one at a time.`,
    )
  if (json.length === 1) return readAll('geojson', 'Feature', json, addZippedGeoJson)
  throw new BoundaryFileError(
    'zip-without-boundaries',
    'The zip contains no shapefile (.shp), KML or GeoJSON.',
  )
}

/** Reads entries of one format. @param noun the term for a record of the format */
async function readAll(
  format: string,
  noun: string,
  entries: Entry[],
  add: (entry: Entry, collector: FeatureCollector, previousCount: number) => Promise<number>,
): Promise<ReadBoundaries> {
  const collector = new FeatureCollector(noun)
  const entrySpans: string[] = []
  let count = 0
  for (const entry of entries) {
    const addedCount = await add(entry, collector, count)
    const span = `${noun.toLowerCase()}s ${count + 1}–${count + addedCount}`
    entrySpans.push(`${entry.name} (${addedCount === 0 ? 'empty' : span})`)
    count += addedCount
  }
  if (entries.length > 1)
    collector.note(
      null,
      'several-files',
      `The zip contains ${entries.length} files of shapes; all were read: ${entrySpans.slice(0, 20).join(', ')}${entrySpans.length > 20 ? ' …' : ''}.`,
    )
  return collector.finish(format)
}

async function addZippedGeoJson(entry: Entry, collector: FeatureCollector): Promise<number> {
  if (entry.size > limits.jsonBytes)
    throw new BoundaryFileError(
      'zip-too-large',
      `${entry.name} unpacks to more than ${limits.jsonBytes / 2 ** 20} MB.`,
    )
  addGeoJson(parseJson(await entry.unpack(), collector), collector)
  return 1
}

/** Reads the files of a shapefile, which have the same name except for the extension, in any case. */
async function readShapefileParts(shp: Entry, entries: Entry[]): Promise<Parameters<typeof addShapefile>[0]> {
  const stem = shp.name.slice(0, -'shp'.length).toLowerCase()
  const read = async (extension: string): Promise<Uint8Array | null> =>
    (await entries.find(({ name }) => name.toLowerCase() === stem + extension)?.unpack()) ?? null
  const readText = async (extension: string): Promise<string | null> => {
    const bytes = await read(extension)
    return bytes === null ? null : decodeText(bytes).text
  }
  return {
    name: shp.name,
    shp: await shp.unpack(),
    dbf: await read('dbf'),
    prj: await readText('prj'),
    cpg: await readText('cpg'),
  }
}
