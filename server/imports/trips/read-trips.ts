import { qualityFlagNames, qualityFlags } from '#contract/mobility.ts'
import type { TripMapping } from '#contract/imports.ts'
import { csvRecords } from '#server/table-files/csv-records.ts'
import { uniqueColumnNames } from '../file-header.ts'
import { fileLines } from '../open-trip-file.ts'
import { retainedFields } from '#server/table-files/column-names.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { loadStations } from '../stations/station-places.ts'
import { type DateEvidence, createOrderLookup } from '#server/table-files/date-orders.ts'
import { createTripReader } from './read-trip.ts'
import { escapeField, RowWriter } from '#server/stores/row-text.ts'
import { writeTrip } from './trip-lines.ts'
import type { RejectedRow } from './trip-row.ts'

/** The input of `readTrips`. */
export interface ReadTripsTask {
  filePath: string
  mapping: TripMapping
  /** Evidence for the order of dates, by column. */
  dates: Record<string, DateEvidence>
  regionId: string
  importId: string
  zone: string
  center: { lon: number; lat: number }
  /** The path of the stations that provide coordinates; null if the file has coordinates. */
  stationsPath: string | null
  /** The number of rows that are stored already, and of their chunks. */
  skipRows: number
  skipChunks: number
}

/** A chunk of rows, encoded for the store. The reader waits until it is acknowledged. */
export interface TripChunk {
  chunk: number
  rowsRead: number
  bytesRead: number
  trips: number
  /** The rows for the table `trips`. */
  tripRows: Uint8Array<ArrayBuffer>
  /**
   * For each trip its line and the fields that are stored if it turns out to be a duplicate, tab-separated.
   */
  retainedRows: Uint8Array<ArrayBuffer>
  retainedColumns: readonly string[]
  rejectedRows: Uint8Array<ArrayBuffer>
  reasons: Record<string, number>
  flags: Record<string, number>
  flagged: number
}

const rowsPerChunk = 40_000

/**
 * Reads the trips of a file chunk by chunk. `send` must resolve when a chunk is acknowledged. `onBytes`
 * receives the number of bytes that were read. Throws TableFileError if the file is damaged, and the reason
 * of `signal` when it is aborted.
 */
export async function readTrips(
  task: ReadTripsTask,
  send: (chunk: TripChunk) => Promise<void>,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const clock = civilClock(task.zone)
  const findStation = task.stationsPath === null ? undefined : await loadStations(task.stationsPath)
  let header: string[] | null = null
  let readRow: ReturnType<typeof createTripReader> | null = null
  let retained: ReturnType<typeof retainedFields> = () => ({})
  let retainedColumns: { name: string; index: number }[] = []
  const [trips, retainedWriter] = [new RowWriter(), new RowWriter()]
  let rowsSeen = 0
  let bytesRead = 0
  let chunk = task.skipChunks
  const newChunk = () => ({
    rows: 0,
    trips: 0,
    rejected: [] as string[],
    reasons: {} as Record<string, number>,
    flagCounts: Array.from({ length: 16 }, () => 0),
    flagged: 0,
    ids: new Set<string>(),
  })
  let current = newChunk()
  const flush = async (): Promise<void> => {
    const flags = Object.fromEntries(
      qualityFlagNames
        .map((name) => [name, current.flagCounts[qualityFlags[name].bit] ?? 0])
        .filter(([, count]) => count),
    )
    const finished: TripChunk = {
      chunk,
      rowsRead: current.rows,
      bytesRead,
      trips: current.trips,
      tripRows: trips.take(),
      retainedRows: retainedWriter.take(),
      retainedColumns: retainedColumns.map(({ name }) => name),
      rejectedRows: new Uint8Array(Buffer.from(current.rejected.join(''))),
      reasons: current.reasons,
      flags,
      flagged: current.flagged,
    }
    current = newChunk()
    chunk++
    await send(finished)
  }
  const rejectRow = (
    line: number,
    fields: readonly string[] | null,
    { reason, detail }: RejectedRow,
  ): void => {
    current.reasons[reason] = (current.reasons[reason] ?? 0) + 1
    current.rejected.push(
      `${task.regionId}\t${task.importId}\t${chunk}\t${line}\t${reason}\t${escapeField(detail)}\t${escapeField(JSON.stringify(retained(fields)))}\n`,
    )
  }
  for await (const records of csvRecords(
    fileLines(task.filePath, (bytes) => onBytes((bytesRead += bytes))),
  )) {
    signal.throwIfAborted()
    for (const { line, fields } of records) {
      if (!readRow || !header) {
        header = uniqueColumnNames(fields ?? [])
        const used = Object.values(task.mapping.columns)
        retained = retainedFields(header, used)
        retainedColumns = header.flatMap((name, index) => (used.includes(name) ? [{ name, index }] : []))
        readRow = createTripReader({
          header,
          mapping: task.mapping,
          orderOf: createOrderLookup(task.dates, task.mapping.date_order),
          regionId: task.regionId,
          clock,
          center: task.center,
          ...(findStation ? { findStation } : {}),
        })
        continue
      }
      if (++rowsSeen <= task.skipRows) continue
      current.rows++
      const trip: ReturnType<typeof readRow> = fields
        ? readRow(fields)
        : { reason: 'unclosed_quote', detail: '' }
      if ('reason' in trip) rejectRow(line, fields, trip)
      else if (current.ids.has(trip.tripId))
        rejectRow(line, fields, { reason: 'duplicate_in_file', detail: trip.tripId })
      else {
        current.ids.add(trip.tripId)
        current.trips++
        writeTrip(trips, trip, { regionId: task.regionId, importId: task.importId, chunk, line })
        retainedWriter.number(line)
        for (const { index } of retainedColumns) retainedWriter.text(fields?.[index] ?? '')
        retainedWriter.endRow()
        if (trip.quality) {
          current.flagged++
          for (let bit = 0; bit < 16; bit++)
            if (trip.quality & (1 << bit)) current.flagCounts[bit] = (current.flagCounts[bit] ?? 0) + 1
        }
      }
      if (current.rows >= rowsPerChunk) await flush()
    }
  }
  if (current.rows) await flush()
}
