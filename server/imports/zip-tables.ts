import { ZipArchive, type ZipEntry, ZipError } from '#server/table-files/zip-archive.ts'
import { delimiterOf } from '#server/table-files/csv-records.ts'
import { plainName } from '#server/table-files/column-names.ts'
import { stationColumns } from './stations/station-columns.ts'
import { linesOf } from '#server/table-files/text-lines.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'

/**
 * The contents of a zip archive: each file with the line of the joined table at which its rows begin, the tables of stations beside them,
 * and what is ignored.
 */
export interface ZipContents {
  read: { name: string; line: number }[]
  stations?: string[]
  ignored: string[]
}

/**
 * Tables compress to a fifth or a twentieth; a file with a higher ratio than this was made to fill the server.
 */
export const maxUnpackingRatio = 250
/** Up to this size any ratio is harmless. */
export const freeUnpackedBytes = 64 * 1024 * 1024
/** Bytes to which a file of a given size may decompress. */
export const unpackingLimit = (packedBytes: number): number =>
  Math.max(freeUnpackedBytes, maxUnpackingRatio * packedBytes)

const isHidden = (name: string): boolean =>
  /(^|\/)(__MACOSX\/|\.)|(^|\/)(Thumbs\.db|desktop\.ini)$/i.test(name)
const isPacked = (name: string): boolean => /\.(zip|gz|tgz|bz2|xz|7z|rar|tar|zst)$/i.test(name)
const isTable = (name: string): boolean => /\.(csv|tsv|dly)$/i.test(name)
const isText = (name: string): boolean =>
  /\.txt$/i.test(name) && !/read.?me|licen[cs]e|terms|about|change.?log/i.test(name)
const isBoundary = (name: string): boolean => /\.(shp|kml|gpkg)$/i.test(name)

/** Names listed in a message at most. */
const shownNames = 6
const list = (names: readonly string[], shown = shownNames): string =>
  `${names.slice(0, shown).join(', ')}${names.length > shown ? ` and ${names.length - shown} more` : ''}`

/**
 * The entries of an archive that are read: its tables by name, or its only JSON file. Throws TableFileError if there are none.
 */
function chooseEntries(entries: readonly ZipEntry[]): { read: ZipEntry[]; ignored: string[] } {
  if (entries.some(({ name }) => name === '[Content_Types].xml'))
    throw new TableFileError('The file is a spreadsheet. Save the sheet as CSV and send that.')
  const files = entries.filter(({ name }) => !name.endsWith('/'))
  const shown = files.filter(({ name }) => !isHidden(name))
  const packed = shown.filter(({ name }) => isPacked(name))
  if (packed.length) {
    throw new TableFileError(
      `The zip archive holds other archives (${list(packed.map(({ name }) => name))}). Unpack it and send the files in it, one by one or many at once.`,
    )
  }
  const filled = shown.filter(({ bytes }) => bytes > 0)
  const tables = filled.filter(({ name }) => isTable(name))
  const texts = tables.length ? tables : filled.filter(({ name }) => isText(name))
  const read = texts.length ? texts : filled.filter(({ name }) => /\.(geo)?json$/i.test(name))
  if (read.length === 0) {
    const names = list(shown.map(({ name }) => name))
    if (shown.some(({ name }) => isBoundary(name)))
      throw new TableFileError(
        `The zip archive holds boundaries (${names}). They are imported in Geographies.`,
      )
    throw new TableFileError(
      `The zip archive holds no CSV, JSON or GeoJSON file${names ? ` (${names})` : ': it is empty'}.`,
    )
  }
  if (!texts.length && read.length > 1)
    throw new TableFileError(
      `The zip archive holds ${read.length} JSON files (${list(read.map(({ name }) => name))}). Send them one by one.`,
    )
  read.sort((one, other) => (one.name < other.name ? -1 : 1))
  const chosen = new Set(read)
  return { read, ignored: files.filter((entry) => !chosen.has(entry)).map(({ name }) => name) }
}

/** Opens an archive temporarily. Throws TableFileError if it cannot be read. */
async function* inArchive<Value>(
  filePath: string,
  read: (archive: ZipArchive) => AsyncGenerator<Value>,
): AsyncGenerator<Value> {
  let archive: ZipArchive | null = null
  try {
    archive = await ZipArchive.open(filePath)
    if (archive.unpackedBytes > unpackingLimit(archive.bytes))
      throw new TableFileError(
        `The zip archive unpacks to more than ${maxUnpackingRatio} times its size, which no table of trips does. Send it unpacked.`,
      )
    yield* read(archive)
  } catch (error) {
    throw error instanceof ZipError ? new TableFileError(error.message) : error
  } finally {
    await archive?.close()
  }
}

/** A table by its line of column names. */
interface Header {
  /** What two tables are compared by: their delimiter and the normalized names of their columns. */
  key: string
  /** Whether it has an id or a name and one place per row: stations, unless all tables are like that. */
  isStations: boolean
}

function headerOf(line: string): Header {
  const delimiter = delimiterOf(line)
  const names = line.replace(/^\uFEFF/, '').split(delimiter)
  return {
    key: `${delimiter}${names.map(plainName).join('|')}`,
    isStations: stationColumns(names) !== null,
  }
}

/** An error about an entry, with its name. */
const namingEntry = (error: unknown, { name }: ZipEntry): unknown =>
  error instanceof TableFileError && !error.message.includes(name)
    ? new TableFileError(`${name} in the zip archive: ${error.message}`)
    : error

/** The tables of an archive with their headers; those of blank lines are left out. */
async function* headersOf(
  archive: ZipArchive,
  entries: readonly ZipEntry[],
): AsyncGenerator<{ entry: ZipEntry; header: Header }> {
  for (const entry of entries) {
    let line: string | undefined
    try {
      for await (const lines of linesOf(archive.unpack(entry))) {
        line = lines.find((each) => each.trim() !== '')
        if (line !== undefined) break
      }
    } catch (error) {
      throw namingEntry(error, entry)
    }
    if (line !== undefined) yield { entry, header: headerOf(line) }
  }
}

/** The first table without stations; if all seem to be stations, the first one. */
async function findLead(archive: ZipArchive, entries: readonly ZipEntry[]) {
  let first: { entry: ZipEntry; header: Header } | null = null
  for await (const table of headersOf(archive, entries)) {
    if (!table.header.isStations) return table
    first ??= table
  }
  return first
}

/**
 * Joins tables with the same columns: the column names of the first one, then the rows of each. Tables of stations are skipped.
 */
async function* joinedTables(
  archive: ZipArchive,
  entries: readonly ZipEntry[],
  read: (bytes: number) => void,
  contents: ZipContents,
): AsyncGenerator<Buffer> {
  const lead = await findLead(archive, entries)
  let line = 1
  let isFirst = true
  for (const entry of entries) {
    let header: Header | null = null
    try {
      for await (const lines of linesOf(archive.unpack(entry, read))) {
        let rows = lines
        if (!header) {
          const at = lines.findIndex((each) => each.trim() !== '')
          if (at < 0) continue
          header = headerOf(lines[at] ?? '')
          if (lead && header.key !== lead.header.key) {
            if (!header.isStations || lead.header.isStations)
              throw new TableFileError(
                `It has other columns than ${lead.entry.name}. Send files of different columns one by one.`,
              )
            contents.stations = [...(contents.stations ?? []), entry.name]
            break
          }
          contents.read.push({ name: entry.name, line: line + (isFirst ? 1 : 0) })
          rows = lines.slice(isFirst ? at : at + 1)
          isFirst = false
        }
        if (!rows.length) continue
        line += rows.length
        yield Buffer.from(`${rows.join('\n')}\n`)
      }
    } catch (error) {
      throw namingEntry(error, entry)
    }
  }
}

/**
 * The bytes of a zip archive's contents: one file, or joined tables with the same columns. `read` counts compressed bytes, `contents` is
 * filled with what is read. Throws TableFileError if there is nothing to read.
 */
export const zippedTable = (
  filePath: string,
  read: (bytes: number) => void,
  contents: ZipContents,
): AsyncGenerator<Buffer> =>
  inArchive(filePath, async function* (archive) {
    const { read: entries, ignored } = chooseEntries(archive.entries)
    contents.ignored.push(...ignored)
    const [only] = entries
    if (entries.length > 1 || !only) return yield* joinedTables(archive, entries, read, contents)
    contents.read.push({ name: only.name, line: 2 })
    yield* archive.unpack(only, read)
  })

/** The name of the only file in a zip archive that is read; null if there are several. Stations do not count. */
export async function nameOfOnlyTable(filePath: string): Promise<string | null> {
  const names = inArchive(filePath, async function* (archive) {
    const { read } = chooseEntries(archive.entries)
    const [only] = read
    if (only && read.length === 1) return yield only.name
    for await (const { entry, header } of headersOf(archive, read)) if (!header.isStations) yield entry.name
  })
  let found: string | null = null
  for await (const name of names) {
    if (found !== null) return null
    found = name
  }
  return found
}

/** The lines of each table of stations in a zip archive of trips. */
export const zippedStations = (filePath: string): AsyncGenerator<AsyncGenerator<string[]>> =>
  inArchive(filePath, async function* (archive) {
    const { read } = chooseEntries(archive.entries)
    const lead = await findLead(archive, read)
    if (!lead || lead.header.isStations) return
    for await (const { entry, header } of headersOf(archive, read))
      if (header.isStations) yield linesOf(archive.unpack(entry))
  })

/** A note of an import about the contents of its zip archive. */
export function contentsNote({ read, stations = [], ignored }: ZipContents): string {
  const names = read.map(({ name, line }) =>
    read.length > 1 ? `${name} (from line ${line.toLocaleString('en')})` : name,
  )
  const places = stations.length ? ` Places of stations from: ${list(stations)}.` : ''
  return `Read from the zip archive: ${list(names, 40)}.${places}${ignored.length ? ` Ignored: ${list(ignored)}.` : ''}`
}
