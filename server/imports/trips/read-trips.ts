import { qualityFlagNames, qualityFlags } from '#contract/mobility.ts'
import type { TripMapping } from '#contract/imports.ts'
import { csvRecords } from '#server/table-files/csv-records.ts'
import { headerNames } from '../file-header.ts'
import { fileLines } from '../open-trip-file.ts'
import { retainedFields } from '#server/table-files/column-names.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { loadStations } from '../stations/station-places.ts'
import { type DateEvidence, ordersOf } from '#server/table-files/date-orders.ts'
import { tripReader } from './read-trip.ts'
import { escapeField, RowWriter } from '#server/stores/row-text.ts'
import { writeTrip } from './trip-lines.ts'
import type { SetAside } from './trip-row.ts'

export interface ReadTripsTask {
  filePath: string
  mapping: TripMapping
  /** Evidence for the order of dates, by column. */
  dates: Record<string, DateEvidence>
  regionId: string
  importId: string
  zone: string
  center: { lon: number; lat: number }
  /** Places come from the stations stored beside the file. */
  /** Null: the file has places. */
  stationsPath: string | null
  /** Rows that are stored already, and the number of their chunks. */
  skipRows: number
  skipChunks: number
}

/** A chunk of rows, ready for the store. The reader waits until it is acknowledged. */
export interface TripChunk {
  chunk: number
  rowsRead: number
  bytesRead: number
  trips: number
  /** Rows of `trips`. */
  tripRows: Uint8Array<ArrayBuffer>
  /** For each trip its line and the fields that are retained if it turns out to be a duplicate, tab-separated. */
  retainedRows: Uint8Array<ArrayBuffer>
  retainedColumns: readonly string[]
  asideLines: Uint8Array<ArrayBuffer>
  reasons: Record<string, number>
  flags: Record<string, number>
  flagged: number
}

const rowsPerChunk = 40_000

/**
 * Reads the trips of a file chunk by chunk; `send` resolves once a chunk is acknowledged. `onBytes` receives the number of bytes read.
 * Throws TableFileError if the file ends in the middle, and the reason of `signal` once it is aborted.
 */
export async function readTrips(
  task: ReadTripsTask,
  send: (chunk: TripChunk) => Promise<void>,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const clock = civilClock(task.zone)
  const placeOf = task.stationsPath === null ? undefined : await loadStations(task.stationsPath)
  let header: string[] | null = null
  let read: ReturnType<typeof tripReader> | null = null
  let retained: ReturnType<typeof retainedFields> = () => ({})
  let retainedPositions: { name: string; at: number }[] = []
  const [trips, retainedWriter] = [new RowWriter(), new RowWriter()]
  let seen = 0
  let bytesRead = 0
  let chunk = task.skipChunks
  const fresh = () => ({
    rows: 0,
    trips: 0,
    aside: [] as string[],
    reasons: {} as Record<string, number>,
    flagCounts: Array.from({ length: 16 }, () => 0),
    flagged: 0,
    ids: new Set<string>(),
  })
  let current = fresh()
  const flush = async (): Promise<void> => {
    const flags = Object.fromEntries(
      qualityFlagNames
        .map((name) => [name, current.flagCounts[qualityFlags[name].bit] ?? 0])
        .filter(([, count]) => count),
    )
    const ready: TripChunk = {
      chunk,
      rowsRead: current.rows,
      bytesRead,
      trips: current.trips,
      tripRows: trips.take(),
      retainedRows: retainedWriter.take(),
      retainedColumns: retainedPositions.map(({ name }) => name),
      asideLines: new Uint8Array(Buffer.from(current.aside.join(''))),
      reasons: current.reasons,
      flags,
      flagged: current.flagged,
    }
    current = fresh()
    chunk++
    await send(ready)
  }
  const putAside = (line: number, fields: readonly string[] | null, { reason, detail }: SetAside): void => {
    current.reasons[reason] = (current.reasons[reason] ?? 0) + 1
    current.aside.push(
      `${task.regionId}\t${task.importId}\t${chunk}\t${line}\t${reason}\t${escapeField(detail)}\t${escapeField(JSON.stringify(retained(fields)))}\n`,
    )
  }
  for await (const records of csvRecords(
    fileLines(task.filePath, (bytes) => onBytes((bytesRead += bytes))),
  )) {
    signal.throwIfAborted()
    for (const { line, fields } of records) {
      if (!read || !header) {
        header = headerNames(fields ?? [])
        const used = Object.values(task.mapping.columns)
        retained = retainedFields(header, used)
        retainedPositions = header.flatMap((name, at) => (used.includes(name) ? [{ name, at }] : []))
        read = tripReader({
          header,
          mapping: task.mapping,
          orderOf: ordersOf(task.dates, task.mapping.date_order),
          regionId: task.regionId,
          clock,
          center: task.center,
          ...(placeOf ? { placeOf } : {}),
        })
        continue
      }
      if (++seen <= task.skipRows) continue
      current.rows++
      const trip: ReturnType<typeof read> = fields ? read(fields) : { reason: 'unclosed_quote', detail: '' }
      if ('reason' in trip) putAside(line, fields, trip)
      else if (current.ids.has(trip.tripId))
        putAside(line, fields, { reason: 'duplicate_in_file', detail: trip.tripId })
      else {
        current.ids.add(trip.tripId)
        current.trips++
        writeTrip(trips, trip, task.regionId, task.importId, chunk, line)
        retainedWriter.number(line)
        for (const { at } of retainedPositions) retainedWriter.text(fields?.[at] ?? '')
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
