import { ZipArchive, type ZipEntry, ZipError } from '#server/table-files/zip-archive.ts'
import { detectDelimiter } from '#server/table-files/csv-records.ts'
import { toPlainName } from '#server/table-files/column-names.ts'
import { readLines } from '#server/table-files/text-lines.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { findStationColumns } from './stations/station-columns.ts'

/** The names of files in a zip archive, by how an import uses them. */
export interface ZipContents {
  /** The files that are read, each with the line of the joined table at which its rows begin. */
  read: { name: string; line: number }[]
  /** The tables of stations besides tables of trips. */
  stations?: string[]
  ignored: string[]
}

/** Tables compress to a fifth or a twentieth. A file with a higher ratio was made to fill the server's disk. */
export const maxUnpackingRatio = 250
/** Up to this decompressed size any ratio is accepted. */
export const harmlessUnpackedBytes = 64 * 1024 * 1024
/** Returns the maximum decompressed size of a file of the given size. */
export const getUnpackingLimit = (packedBytes: number): number =>
  Math.max(harmlessUnpackedBytes, maxUnpackingRatio * packedBytes)

const isHidden = (name: string): boolean =>
  /(^|\/)(__MACOSX\/|\.)|(^|\/)(Thumbs\.db|desktop\.ini)$/i.test(name)
const isArchive = (name: string): boolean => /\.(zip|gz|tgz|bz2|xz|7z|rar|tar|zst)$/i.test(name)
const isTable = (name: string): boolean => /\.(csv|tsv|dly)$/i.test(name)
const isText = (name: string): boolean =>
  /\.txt$/i.test(name) && !/read.?me|licen[cs]e|terms|about|change.?log/i.test(name)
const isBoundary = (name: string): boolean => /\.(shp|kml|gpkg)$/i.test(name)

/** The maximum number of names in a message, and of files that were read in the note of an import. */
const maxListedNames = 6
const maxReadNames = 40
const formatNames = (names: readonly string[], maxNames = maxListedNames): string =>
  `${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ` and ${names.length - maxNames} more` : ''}`

/**
 * Chooses the entries of an archive that are read: its tables, sorted by name, or its only JSON file.
 * @throws TableFileError if there are none.
 */
function chooseEntries(entries: readonly ZipEntry[]): { read: ZipEntry[]; ignored: string[] } {
  if (entries.some(({ name }) => name === '[Content_Types].xml'))
    throw new TableFileError('The file is a spreadsheet. Save the sheet as CSV and send that.')
  const files = entries.filter(({ name }) => !name.endsWith('/'))
  const visibleFiles = files.filter(({ name }) => !isHidden(name))
  const archives = visibleFiles.filter(({ name }) => isArchive(name))
  if (archives.length) {
    throw new TableFileError(
      `The zip archive contains other archives (${formatNames(archives.map(({ name }) => name))}). Unpack it and send the files in it, one by one or many at once.`,
    )
  }
  const filledFiles = visibleFiles.filter(({ bytes }) => bytes > 0)
  const tables = filledFiles.filter(({ name }) => isTable(name))
  const texts = tables.length ? tables : filledFiles.filter(({ name }) => isText(name))
  const read = texts.length ? texts : filledFiles.filter(({ name }) => /\.(geo)?json$/i.test(name))
  if (read.length === 0) {
    const names = formatNames(visibleFiles.map(({ name }) => name))
    if (visibleFiles.some(({ name }) => isBoundary(name)))
      throw new TableFileError(
        `The zip archive contains boundaries (${names}). They are imported in Geographies.`,
      )
    throw new TableFileError(
      `The zip archive contains no CSV, JSON or GeoJSON file${names ? ` (${names})` : ': it is empty'}.`,
    )
  }
  if (!texts.length && read.length > 1)
    throw new TableFileError(
      `The zip archive contains ${read.length} JSON files (${formatNames(read.map(({ name }) => name))}). Send them one by one.`,
    )
  read.sort((a, b) => (a.name < b.name ? -1 : 1))
  const chosenEntries = new Set(read)
  return { read, ignored: files.filter((entry) => !chosenEntries.has(entry)).map(({ name }) => name) }
}

/** Opens an archive while `read` runs. @throws TableFileError if it cannot be read. */
async function* withArchive<Value>(
  filePath: string,
  read: (archive: ZipArchive) => AsyncGenerator<Value>,
): AsyncGenerator<Value> {
  let archive: ZipArchive | null = null
  try {
    archive = await ZipArchive.open(filePath)
    if (archive.unpackedBytes > getUnpackingLimit(archive.bytes))
      throw new TableFileError(
        `The zip archive decompresses to more than ${maxUnpackingRatio} times its size, which is unusual for tables of trips. Send them uncompressed.`,
      )
    yield* read(archive)
  } catch (error) {
    throw error instanceof ZipError ? new TableFileError(error.message) : error
  } finally {
    await archive?.close()
  }
}

/** The line of column names of a table. */
interface TableHeader {
  /** The delimiter and the normalized names of the columns. Tables with the same key can be joined. */
  key: string
  /** Whether the table looks like stations: it has an id or a name and one location per row. */
  isStations: boolean
}

function parseHeader(line: string): TableHeader {
  const delimiter = detectDelimiter(line)
  const names = line.replace(/^\uFEFF/, '').split(delimiter)
  return {
    key: `${delimiter}${names.map(toPlainName).join('|')}`,
    isStations: findStationColumns(names) !== null,
  }
}

const addEntryName = (error: unknown, { name }: ZipEntry): unknown =>
  error instanceof TableFileError && !error.message.includes(name)
    ? new TableFileError(`${name} in the zip archive: ${error.message}`)
    : error

/** Yields the tables of an archive with their headers. Tables with only blank lines are skipped. */
async function* readHeaders(
  archive: ZipArchive,
  entries: readonly ZipEntry[],
): AsyncGenerator<{ entry: ZipEntry; header: TableHeader }> {
  for (const entry of entries) {
    let line: string | undefined
    try {
      for await (const lines of readLines(archive.unpack(entry))) {
        line = lines.find((text) => text.trim() !== '')
        if (line !== undefined) break
      }
    } catch (error) {
      throw addEntryName(error, entry)
    }
    if (line !== undefined) yield { entry, header: parseHeader(line) }
  }
}

/** Finds the table that determines the columns: the first without stations, or the first if all are stations. */
async function findLeadingTable(archive: ZipArchive, entries: readonly ZipEntry[]) {
  let firstTable: { entry: ZipEntry; header: TableHeader } | null = null
  for await (const table of readHeaders(archive, entries)) {
    if (!table.header.isStations) return table
    firstTable ??= table
  }
  return firstTable
}

/** Joins tables with the same columns: the first header, then the rows of each. Stations are skipped. */
async function* joinTables(
  archive: ZipArchive,
  entries: readonly ZipEntry[],
  onRead: (bytes: number) => void,
  contents: ZipContents,
): AsyncGenerator<Buffer> {
  const leadingTable = await findLeadingTable(archive, entries)
  let line = 1
  let isFirst = true
  for (const entry of entries) {
    let header: TableHeader | null = null
    try {
      for await (const lines of readLines(archive.unpack(entry, onRead))) {
        let rows = lines
        if (!header) {
          const headerIndex = lines.findIndex((text) => text.trim() !== '')
          if (headerIndex < 0) continue
          header = parseHeader(lines[headerIndex] ?? '')
          if (leadingTable && header.key !== leadingTable.header.key) {
            if (!header.isStations || leadingTable.header.isStations)
              throw new TableFileError(
                `It has other columns than ${leadingTable.entry.name}. Send files of different columns one by one.`,
              )
            contents.stations = [...(contents.stations ?? []), entry.name]
            break
          }
          contents.read.push({ name: entry.name, line: line + (isFirst ? 1 : 0) })
          rows = lines.slice(isFirst ? headerIndex : headerIndex + 1)
          isFirst = false
        }
        if (!rows.length) continue
        line += rows.length
        yield Buffer.from(`${rows.join('\n')}\n`)
      }
    } catch (error) {
      throw addEntryName(error, entry)
    }
  }
}

/**
 * Yields the decompressed content of a zip archive: a single file, or joined tables with the same columns.
 * `onRead` receives the number of compressed bytes. `contents` is filled.
 * @throws TableFileError if there is nothing to read.
 */
export const readZippedTable = (
  filePath: string,
  onRead: (bytes: number) => void,
  contents: ZipContents,
): AsyncGenerator<Buffer> =>
  withArchive(filePath, async function* (archive) {
    const { read: entries, ignored } = chooseEntries(archive.entries)
    contents.ignored.push(...ignored)
    const [entry] = entries
    if (entries.length > 1 || !entry) return yield* joinTables(archive, entries, onRead, contents)
    contents.read.push({ name: entry.name, line: 2 })
    yield* archive.unpack(entry, onRead)
  })

/** Finds the name of the only file in a zip archive that is read, except stations; null if there are several. */
export async function findOnlyTableName(filePath: string): Promise<string | null> {
  const names = withArchive(filePath, async function* (archive) {
    const { read } = chooseEntries(archive.entries)
    const [firstEntry] = read
    if (firstEntry && read.length === 1) return yield firstEntry.name
    for await (const { entry, header } of readHeaders(archive, read)) if (!header.isStations) yield entry.name
  })
  let onlyName: string | null = null
  for await (const name of names) {
    if (onlyName !== null) return null
    onlyName = name
  }
  return onlyName
}

/** Yields the lines of each table of stations in a zip archive of trips. */
export const readZippedStations = (filePath: string): AsyncGenerator<AsyncGenerator<string[]>> =>
  withArchive(filePath, async function* (archive) {
    const { read } = chooseEntries(archive.entries)
    const leadingTable = await findLeadingTable(archive, read)
    if (!leadingTable || leadingTable.header.isStations) return
    for await (const { entry, header } of readHeaders(archive, read))
      if (header.isStations) yield readLines(archive.unpack(entry))
  })

/** Returns the note of an import about the contents of its zip archive. */
export function describeContents({ read, stations = [], ignored }: ZipContents): string {
  const names = read.map(({ name, line }) =>
    read.length > 1 ? `${name} (from line ${line.toLocaleString('en')})` : name,
  )
  const places = stations.length ? ` Places of stations from: ${formatNames(stations)}.` : ''
  return `Read from the zip archive: ${formatNames(names, maxReadNames)}.${places}${ignored.length ? ` Ignored: ${formatNames(ignored)}.` : ''}`
}
