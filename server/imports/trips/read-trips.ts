import { qualityFlagNames, qualityFlags } from '#contract/mobility.ts'
import type { TripMapping } from '#contract/imports.ts'
import { readCsvRecords } from '#server/table-files/csv-records.ts'
import { makeColumnNamesUnique } from '../file-header.ts'
import { readFileLines } from '../read-trip-file.ts'
import { createFieldSelector } from '#server/table-files/column-names.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { loadStations } from '../stations/station-places.ts'
import { type DateEvidence, createOrderLookup } from '#server/table-files/date-orders.ts'
import { createTripReader } from './read-trip.ts'
import { escapeField, RowWriter } from '#server/stores/row-text.ts'
import { writeTrip } from './trip-lines.ts'
import type { RejectedRow, TripRow } from './trip-row.ts'

export interface ReadTripsTask {
  filePath: string
  mapping: TripMapping
  /** Evidence for the order of dates, by column. */
  dates: Record<string, DateEvidence>
  regionId: string
  importId: string
  timezone: string
  center: { lon: number; lat: number }
  /** The path of the stations that provide coordinates; null if the file has coordinates. */
  stationsPath: string | null
  /** The numbers of rows and chunks that are stored already. */
  skipRows: number
  skipChunks: number
}

/** A chunk of rows, encoded for the store. The reader waits until it is acknowledged. */
export interface TripChunk {
  /** The number of the chunk, from 0. */
  chunk: number
  rowsRead: number
  bytesRead: number
  /** The number of trips. */
  trips: number
  /** The rows for the table `trips`. */
  tripRows: Uint8Array<ArrayBuffer>
  /** For each trip, tab-separated: its line, and the fields that are stored if it is a duplicate. */
  retainedRows: Uint8Array<ArrayBuffer>
  retainedColumns: readonly string[]
  rejectedRows: Uint8Array<ArrayBuffer>
  reasons: Record<string, number>
  flags: Record<string, number>
  /** The number of trips with any quality flag. */
  flagged: number
}

const rowsPerChunk = 40_000

/**
 * Reads the trips of a file chunk by chunk. `send` must resolve when a chunk is acknowledged. `onBytes`
 * receives the number of bytes that were read.
 * @throws TableFileError if the file is damaged, and the reason of `signal` when it is aborted.
 */
export async function readTrips(
  task: ReadTripsTask,
  send: (chunk: TripChunk) => Promise<void>,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const findStation = task.stationsPath === null ? undefined : await loadStations(task.stationsPath)
  let chunks: ChunkBuilder | null = null
  let readRow: ReturnType<typeof createTripReader> | null = null
  let rowsSeen = 0
  let bytesRead = 0
  const lines = readFileLines(task.filePath, (bytes) => onBytes((bytesRead += bytes)))
  for await (const records of readCsvRecords(lines)) {
    signal.throwIfAborted()
    for (const { line, fields } of records) {
      if (!readRow || !chunks) {
        const header = makeColumnNamesUnique(fields ?? [])
        chunks = new ChunkBuilder(task, header)
        readRow = createTripReader({
          header,
          mapping: task.mapping,
          getDateOrder: createOrderLookup(task.dates, task.mapping.date_order),
          regionId: task.regionId,
          clock: civilClock(task.timezone),
          center: task.center,
          ...(findStation ? { findStation } : {}),
        })
        continue
      }
      if (++rowsSeen <= task.skipRows) continue
      chunks.add(line, fields, fields ? readRow(fields) : { reason: 'unclosed_quote', detail: '' })
      if (chunks.rows >= rowsPerChunk) await send(chunks.take(bytesRead))
    }
  }
  if (chunks?.rows) await send(chunks.take(bytesRead))
}

/** Quality flags are stored in 16 bits. */
const qualityBits = 16

const createCounts = () => ({
  rows: 0,
  trips: 0,
  rejected: [] as string[],
  reasons: {} as Record<string, number>,
  /** The number of trips with each quality flag, by its bit. */
  flagCounts: Array.from({ length: qualityBits }, () => 0),
  flagged: 0,
  ids: new Set<string>(),
})

/** Encodes the rows of a chunk and counts them. */
class ChunkBuilder {
  readonly #task: ReadTripsTask
  readonly #selectFields: ReturnType<typeof createFieldSelector>
  readonly #retainedColumns: { name: string; index: number }[]
  readonly #trips = new RowWriter()
  readonly #retainedRows = new RowWriter()
  /** The number of the chunk. */
  #chunk: number
  #current = createCounts()

  constructor(task: ReadTripsTask, header: readonly string[]) {
    const usedColumns = Object.values(task.mapping.columns)
    this.#task = task
    this.#chunk = task.skipChunks
    this.#selectFields = createFieldSelector(header, usedColumns)
    this.#retainedColumns = header.flatMap((name, index) =>
      usedColumns.includes(name) ? [{ name, index }] : [],
    )
  }

  /** The number of rows of the current chunk. */
  get rows(): number {
    return this.#current.rows
  }

  add(line: number, fields: readonly string[] | null, trip: TripRow | RejectedRow): void {
    this.#current.rows++
    if ('reason' in trip) this.#reject(line, fields, trip)
    else if (this.#current.ids.has(trip.tripId))
      this.#reject(line, fields, { reason: 'duplicate_in_file', detail: trip.tripId })
    else this.#addTrip(line, fields, trip)
  }

  /** Ends the current chunk. `bytesRead`: the number of bytes of the file that were read up to its end. */
  take(bytesRead: number): TripChunk {
    const { rows, trips, rejected, reasons, flagged, flagCounts } = this.#current
    const chunk = this.#chunk++
    this.#current = createCounts()
    return {
      chunk,
      rowsRead: rows,
      bytesRead,
      trips,
      tripRows: this.#trips.take(),
      retainedRows: this.#retainedRows.take(),
      retainedColumns: this.#retainedColumns.map(({ name }) => name),
      rejectedRows: new Uint8Array(Buffer.from(rejected.join(''))),
      reasons,
      flags: Object.fromEntries(
        qualityFlagNames
          .map((name) => [name, flagCounts[qualityFlags[name].bit] ?? 0])
          .filter(([, count]) => count),
      ),
      flagged,
    }
  }

  #addTrip(line: number, fields: readonly string[] | null, trip: TripRow): void {
    const current = this.#current
    const { regionId, importId } = this.#task
    current.ids.add(trip.tripId)
    current.trips++
    writeTrip(this.#trips, trip, { regionId, importId, chunk: this.#chunk, line })
    this.#retainedRows.number(line)
    for (const { index } of this.#retainedColumns) this.#retainedRows.text(fields?.[index] ?? '')
    this.#retainedRows.endRow()
    if (!trip.quality) return
    current.flagged++
    for (let bit = 0; bit < qualityBits; bit++)
      if (trip.quality & (1 << bit)) current.flagCounts[bit] = (current.flagCounts[bit] ?? 0) + 1
  }

  #reject(line: number, fields: readonly string[] | null, { reason, detail }: RejectedRow): void {
    const { reasons, rejected } = this.#current
    const { regionId, importId } = this.#task
    reasons[reason] = (reasons[reason] ?? 0) + 1
    rejected.push(
      `${regionId}\t${importId}\t${this.#chunk}\t${line}\t${reason}\t${escapeField(detail)}\t` +
        `${escapeField(JSON.stringify(this.#selectFields(fields)))}\n`,
    )
  }
}
