import { createHash } from 'node:crypto'
import { csvRecords } from '#server/table-files/csv-records.ts'
import { headerNames } from './file-header.ts'
import { fileBytes } from './open-trip-file.ts'
import { linesOf } from '#server/table-files/text-lines.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { isWithinReach } from '#server/regions/region-reach.ts'
import { addEvidence, type DateEvidence } from '#server/table-files/date-orders.ts'
import { readNumber } from '#server/table-files/read-quantity.ts'
import type { ZipContents } from './zip-tables.ts'

export interface SurveyTask {
  filePath: string
  /** Whether it is a table with a line of column names; of other files only the hash is computed. */
  isTable: boolean
  /** Columns of the places of rows; null if only the dates are needed. */
  place: { lon: string; lat: string } | null
  center: { lon: number; lat: number }
}

/** Places of all rows against the region. */
export interface PlacesFound {
  /** Rows with two numbers for a place. */
  rows: number
  /** Of them, farther from the center of the region than its reach, or invalid. */
  outside: number
  /** Of them, within the region if longitude and latitude were swapped. */
  swapped: number
}

/** Counts places of rows by columns of a header. */
export function countPlaces(
  header: readonly string[],
  place: SurveyTask['place'],
  center: SurveyTask['center'],
) {
  const found: PlacesFound = { rows: 0, outside: 0, swapped: 0 }
  const [lonAt, latAt] = place ? [header.indexOf(place.lon), header.indexOf(place.lat)] : [-1, -1]
  const add = (fields: readonly string[]): void => {
    if (lonAt < 0 || latAt < 0) return
    const [lon, lat] = [readNumber(fields[lonAt]?.trim() ?? ''), readNumber(fields[latAt]?.trim() ?? '')]
    if (Number.isNaN(lon + lat)) return
    found.rows++
    if (isWithinReach(lon, lat, center)) return
    found.outside++
    if (isWithinReach(lat, lon, center)) found.swapped++
  }
  return { found, add }
}

/** The survey of a whole table, before any row of it is stored. */
export interface FileSurvey {
  /** SHA-256 of the decompressed file: the same table, compressed or not, has one hash. */
  contentHash: string
  /** Rows below the column names. */
  rows: number
  /** Evidence for the order of dates, by column. Columns without dates are left out. */
  dates: Record<string, DateEvidence>
  places: PlacesFound
  /** Of a zip archive: which files in it were read. */
  zip?: ZipContents
}

/** A column without a date in this many filled fields is not a column of dates. */
const triedFields = 2000

/** Bytes to which a file may decompress. */
const maxUnpackedBytes = 40 * 1024 ** 3

/** The part of a survey that is stored with its import. */
export interface StoredSurvey extends Pick<FileSurvey, 'rows' | 'dates' | 'zip'> {
  /** Of the columns `placeColumns`; null if they were not counted yet. */
  places: PlacesFound | null
  placeColumns: SurveyTask['place']
}

/**
 * Reads a whole file once. `onBytes` receives the number of bytes read. Throws TableFileError if it ends in the middle, is not a table or
 * decompresses to too much, and the reason of `signal` once it is aborted.
 */
export async function surveyFile(
  { filePath, isTable, place, center }: SurveyTask,
  onBytes: (bytes: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<FileSurvey> {
  const hash = createHash('sha256')
  let bytes = 0
  let packed = 0
  const zip: ZipContents = { read: [], ignored: [] }
  const hashed = async function* (): AsyncGenerator<Buffer> {
    for await (const part of fileBytes(filePath, (more) => onBytes((packed += more)), zip)) {
      signal?.throwIfAborted()
      bytes += part.length
      if (bytes > maxUnpackedBytes)
        throw new TableFileError('The file unpacks to more than 40 GB. Send it in parts.')
      hash.update(part)
      yield part
    }
  }
  let rows = 0
  let places = countPlaces([], place, center)
  let columns: { name: string; at: number; filled: number; dates: DateEvidence; hasDates: boolean }[] | null =
    null
  for await (const records of isTable ? csvRecords(linesOf(hashed())) : hashed()) {
    if (Buffer.isBuffer(records)) continue
    for (const { fields } of records) {
      if (!columns) {
        const header = headerNames(fields ?? [])
        columns = header.map((name, at) => ({ name, at, filled: 0, dates: {}, hasDates: false }))
        places = countPlaces(header, place, center)
        continue
      }
      rows++
      if (!fields) continue
      let hasIdle = false
      for (const column of columns) {
        const text = fields[column.at]?.trim()
        if (!text) continue
        column.filled++
        if (addEvidence(column.dates, text)) column.hasDates = true
        else if (column.filled === triedFields && !column.hasDates) hasIdle = true
      }
      if (hasIdle) columns = columns.filter((column) => column.filled < triedFields || column.hasDates)
      places.add(fields)
    }
  }
  const dates = Object.fromEntries(
    (columns ?? []).filter(({ hasDates }) => hasDates).map(({ name, dates }) => [name, dates]),
  )
  return {
    contentHash: hash.digest('hex'),
    rows,
    dates,
    places: places.found,
    ...(zip.read.length ? { zip } : {}),
  }
}
