import { createHash } from 'node:crypto'
import { readCsvRecords } from '#server/table-files/csv-records.ts'
import { readLines } from '#server/table-files/text-lines.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { isWithinReach } from '#server/regions/region-reach.ts'
import { addEvidence, type DateEvidence } from '#server/table-files/date-orders.ts'
import { readNumber } from '#server/table-files/read-quantity.ts'
import { makeColumnNamesUnique } from './file-header.ts'
import { readFileBytes } from './read-trip-file.ts'
import type { ZipContents } from './zip-tables.ts'

/** The input of a survey, which is sent to a thread. */
export interface SurveyTask {
  filePath: string
  /** Whether it is a table with a line of column names. For other files only the hash is computed. */
  isTable: boolean
  /** The columns with coordinates; null if only the dates are needed. */
  placeColumns: { lon: string; lat: string } | null
  center: { lon: number; lat: number }
}

/** The number of rows inside and outside of the region. */
export interface PlaceCounts {
  /** Rows with coordinates. */
  rows: number
  /** Rows with coordinates that are invalid or farther from the center of the region than its reach. */
  outside: number
  /** Rows outside of the region that would be inside if longitude and latitude were swapped. */
  swapped: number
}

/** Creates a counter for the locations of rows. Rows without coordinates are not counted. */
export function createPlaceCounter(
  header: readonly string[],
  placeColumns: SurveyTask['placeColumns'],
  center: SurveyTask['center'],
) {
  const counts: PlaceCounts = { rows: 0, outside: 0, swapped: 0 }
  const lonColumn = placeColumns ? header.indexOf(placeColumns.lon) : -1
  const latColumn = placeColumns ? header.indexOf(placeColumns.lat) : -1
  const add = (fields: readonly string[]): void => {
    if (lonColumn < 0 || latColumn < 0) return
    const lon = readNumber(fields[lonColumn]?.trim() ?? '')
    const lat = readNumber(fields[latColumn]?.trim() ?? '')
    if (Number.isNaN(lon + lat)) return
    counts.rows++
    if (isWithinReach(lon, lat, center)) return
    counts.outside++
    if (isWithinReach(lat, lon, center)) counts.swapped++
  }
  return { counts, add }
}

/** The result of reading a complete file before any row is stored. */
export interface FileSurvey {
  /** The SHA-256 hash of the decompressed file, so that it does not depend on the compression. */
  contentHash: string
  /** The number of rows below the column names. */
  rows: number
  /** Evidence for the order of dates, by column. Columns without dates are omitted. */
  dates: Record<string, DateEvidence>
  places: PlaceCounts
  /** The files of a zip archive that were read. */
  zip?: ZipContents
}

interface SurveyedColumn {
  name: string
  index: number
  /** The number of fields that are not empty. */
  filled: number
  dates: DateEvidence
  hasDates: boolean
}

/** A column without a date in this many filled fields is not checked further. */
const maxTriedFields = 2000
/** The maximum size of a decompressed file. */
const maxUnpackedBytes = 40 * 1024 ** 3

/** The part of a survey that is stored with its import. */
export interface StoredSurvey extends Pick<FileSurvey, 'rows' | 'dates' | 'zip'> {
  /** The counts for the columns `placeColumns`; null if they were not counted yet. */
  places: PlaceCounts | null
  placeColumns: SurveyTask['placeColumns']
}

/**
 * Reads a complete file. `onBytes` receives the number of bytes that were read so far.
 * @throws TableFileError if the file is truncated, not a table or too large, and the reason of `signal` when
 * it is aborted.
 */
export async function surveyFile(
  { filePath, isTable, placeColumns, center }: SurveyTask,
  onBytes: (bytes: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<FileSurvey> {
  const hash = createHash('sha256')
  let bytes = 0
  let packedBytes = 0
  const zip: ZipContents = { read: [], ignored: [] }
  const readAndHash = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of readFileBytes(
      filePath,
      (readBytes) => onBytes((packedBytes += readBytes)),
      zip,
    )) {
      signal?.throwIfAborted()
      bytes += chunk.length
      if (bytes > maxUnpackedBytes)
        throw new TableFileError('The file unpacks to more than 40 GB. Send it in parts.')
      hash.update(chunk)
      yield chunk
    }
  }
  let rows = 0
  let places = createPlaceCounter([], placeColumns, center)
  let columns: SurveyedColumn[] | null = null
  for await (const records of isTable ? readCsvRecords(readLines(readAndHash())) : readAndHash()) {
    if (Buffer.isBuffer(records)) continue
    for (const { fields } of records) {
      if (!columns) {
        const header = makeColumnNamesUnique(fields ?? [])
        columns = header.map((name, index) => ({ name, index, filled: 0, dates: {}, hasDates: false }))
        places = createPlaceCounter(header, placeColumns, center)
        continue
      }
      rows++
      if (!fields) continue
      let canDropColumn = false
      for (const column of columns) {
        const text = fields[column.index]?.trim()
        if (!text) continue
        column.filled++
        if (addEvidence(column.dates, text)) column.hasDates = true
        else if (column.filled === maxTriedFields && !column.hasDates) canDropColumn = true
      }
      if (canDropColumn)
        columns = columns.filter((column) => column.filled < maxTriedFields || column.hasDates)
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
    places: places.counts,
    ...(zip.read.length ? { zip } : {}),
  }
}
