import { randomUUID } from 'node:crypto'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import type { App } from '#server/app.ts'
import { computeQuality } from '#server/fleet/trip-quality.ts'
import { importedTripColumns } from '#server/fleet/trip-columns.ts'
import { writeTrip } from '#server/imports/trips/trip-lines.ts'
import type { TripRow } from '#server/imports/trips/trip-row.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import { RowWriter } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, sql } from '#server/stores/sql.ts'
import type { City } from './city.ts'
import { generateTrips } from './trips/make-trips.ts'
import { operators } from './operators.ts'
import { type DemoTrip, makeTripId } from './trips/demo-trip.ts'

/** A range of a demo city's trips by local days (YYYY-MM-DD, half-open). */
export interface TripRange {
  regionId: string
  seed: number
  from: string
  until: string
}

/** Some days of a range, which are one chunk of an import. */
export interface TripChunkTask extends TripRange {
  importId: string
  chunk: number
}

export interface TripChunk {
  /** Rows of `trips`, as tab-separated text. */
  rows: Uint8Array
  trips: number
  flagged: number
}

/** The chunks of a range of trips, while they are generated. */
export interface TripChunks {
  importId: string
  regionId: string
  count: number
  /** Resolves with the next chunk in order, or null at the end. */
  next(): Promise<TripChunk | null>
}

/** Days per chunk, with about 170,000 trips. */
const chunkDays = 30
/** Number of chunks that are generated in parallel. */
const parallelChunks = 2
/** Maximum number of chunks that are generated ahead of the reader, about 30 MB each. */
const maxAhead = 6

/** Rounds to about 0.1 m, which suffices for positions of GPS receivers. */
const roundToSixDecimals = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

/** The columns of imported trips, and the source of each trip. */
const columns = [...importedTripColumns, 'source'] as const
/** Source of trips by operator: feeds and files for operators with MDS, otherwise files only. */
const sources = new Map(operators.map(({ slug, providerId }) => [slug, providerId ? 'both' : 'file']))

/** Fills a row with a trip. The row object is reused. */
function fillRow(row: TripRow, trip: DemoTrip, city: City): void {
  row.tripId = makeTripId(trip.tripNumber)
  row.operator = trip.operator
  row.vehicleType = trip.vehicleType
  row.vehicleId = trip.vehicleId
  row.startMs = trip.startMs
  row.endMs = trip.endMs
  row.day = trip.localDate
  row.hour = trip.localHour
  row.startLon = roundToSixDecimals(trip.startLon)
  row.startLat = roundToSixDecimals(trip.startLat)
  row.endLon = roundToSixDecimals(trip.endLon)
  row.endLat = roundToSixDecimals(trip.endLat)
  row.distanceM = Math.round(trip.distanceM)
  row.durationS = Math.round(trip.durationS)
  row.quality = computeQuality(row, city, false)
}

const emptyRow = (): TripRow => ({
  tripId: '',
  operator: '',
  vehicleType: '',
  vehicleId: '',
  startMs: 0,
  endMs: 0,
  day: 0,
  hour: 0,
  startLon: 0,
  startLat: 0,
  endLon: 0,
  endLat: 0,
  distanceM: 0,
  durationS: 0,
  quality: 0,
})
const emptyChunk: TripChunk = { rows: new Uint8Array(), trips: 0, flagged: 0 }

/** Generates the rows of one chunk. CPU-bound: takes seconds. */
export function makeTripChunk(
  city: City,
  { regionId, importId, seed, from, until, chunk }: TripChunkTask,
): TripChunk {
  const rows = new RowWriter()
  const row = emptyRow()
  let trips = 0
  let flagged = 0
  generateTrips(city, {
    seed,
    from,
    until,
    emit: (trip) => {
      fillRow(row, trip, city)
      if (row.quality) flagged++
      writeTrip(rows, row, { regionId, importId, chunk, line: trips++ }, [
        sources.get(trip.operator) ?? 'file',
      ])
    },
  })
  return { rows: rows.take(), trips, flagged }
}

/** Starts to generate the chunks of a range, two at a time and up to six ahead of the reader. */
export function startTripChunks(
  range: TripRange,
  make: (task: TripChunkTask) => Promise<TripChunk>,
): TripChunks {
  const importId = randomUUID()
  const [first, end] = [dayNumber(range.from), dayNumber(range.until)]
  const tasks: TripChunkTask[] = []
  for (let day = first; day < end; day += chunkDays)
    tasks.push({
      ...range,
      importId,
      chunk: tasks.length,
      from: dayFromNumber(day),
      until: dayFromNumber(Math.min(end, day + chunkDays)),
    })
  const chunks: Promise<TripChunk>[] = []
  let readCount = 0
  const startMore = (): void => {
    while (chunks.length < tasks.length && chunks.length < readCount + maxAhead) {
      const index = chunks.length
      const task = tasks[index]
      if (!task) return
      const chunk = (chunks[index - parallelChunks] ?? Promise.resolve()).then(() => make(task))
      // Errors are reported to the reader of the chunk; this handler prevents an unhandled rejection until
      // then.
      chunk.catch(() => undefined)
      chunks.push(chunk)
    }
  }
  startMore()
  return {
    importId,
    regionId: range.regionId,
    count: tasks.length,
    async next() {
      const chunk = await chunks[readCount]
      if (!chunk) return null
      // Replaced, so that its memory is freed once it is stored.
      chunks[readCount++] = Promise.resolve(emptyChunk)
      startMore()
      return chunk
    },
  }
}

interface StoreOptions {
  at: Date
  onProgress?: (share: number, trips: number) => void
}

/** Stores chunks while the next ones are generated, then their import. Returns the number of trips. */
export async function storeDemoTrips(
  { facts, state }: Pick<App, 'facts' | 'state'>,
  scope: Scope,
  { importId, regionId, count, next }: TripChunks,
  { at, onProgress = () => undefined }: StoreOptions,
): Promise<number> {
  await facts.remove(scope, 'trips', sql`region_id = ${bind('String', regionId)}`)
  let trips = 0
  let flagged = 0
  for (let stored = 1; ; stored++) {
    const chunk = await next()
    if (!chunk) break
    await facts.insert(scope, 'trips', { columns, regionId, lines: chunk.rows })
    trips += chunk.trips
    flagged += chunk.flagged
    onProgress(stored / count, trips)
  }
  await state
    .as(scope)
    .insertInto('import')
    .values({
      import_id: importId,
      region_id: regionId,
      file_name: 'Port Meridian, a year of made-up trips',
      file_path: '',
      bytes: 0,
      content_hash: 'demo',
      header_hash: 'demo',
      status: 'done',
      layout: 'demo',
      mapping: null,
      rows_read: trips,
      rows_accepted: trips,
      rows_flagged: flagged,
      progress: 1,
      created_by: null,
      created_time: at,
      started_time: at,
    })
    .execute()
  await increaseFactsVersion(state, scope, regionId)
  return trips
}
