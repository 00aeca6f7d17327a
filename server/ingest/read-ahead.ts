import type { State } from '#server/stores/state.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Region } from '#contract/regions.ts'
import { type TripMapping, usesStations } from '#contract/ingest.ts'
import type { ImportRow } from './read-import.ts'
import { TripReader } from './read-trip-chunks.ts'
import type { ReadTripsTask } from './read-trips.ts'
import type { StoredSurvey } from './survey-file.ts'

/** What the reader of an import needs: it continues behind the last acknowledged chunk. */
export const readTaskOf = (row: ImportRow, region: Region): ReadTripsTask => ({
  filePath: row.file_path,
  mapping: row.mapping as TripMapping,
  dates: (row.survey as StoredSurvey | null)?.dates ?? {},
  usesStations: usesStations(row.mapping as TripMapping),
  regionId: row.region_id,
  importId: row.import_id,
  zone: region.timezone,
  centre: { lon: region.lon, lat: region.lat },
  skipRows: Number(row.rows_read),
  skipChunks: row.chunks,
})

/** The trip file that follows an import in its region: the oldest of those that wait. */
const followingImport = (state: State, scope: Scope, { region_id, import_id }: ImportRow) =>
  state
    .as(scope)
    .selectFrom('import')
    .selectAll()
    .where('region_id', '=', region_id)
    .where('import_id', '!=', import_id)
    .where('status', '=', 'queued')
    .where('kind', '=', 'trips')
    .where('mapping', 'is not', null)
    .orderBy('created_time')
    .limit(1)
    .executeTakeFirst()

/**
 * Readers of files that are next in their regions. A small file is read while the last rows of the file before it are stored.
 * Reading changes nothing, so an import is still claimed and stored by its own run; a reader that no run takes is closed.
 */
export class ReadAhead {
  readonly #readers = new Map<string, TripReader>()
  readonly #maxReaders: number

  /** Each reader holds at most one chunk. */
  constructor(maxReaders: number) {
    this.#maxReaders = maxReaders
  }

  /** Starts to read the file that follows an import in its region. */
  async start(state: State, scope: Scope, row: ImportRow, region: Region): Promise<void> {
    const next = await followingImport(state, scope, row)
    const known = this.#readers.get(row.region_id)
    if (!next || known?.task.importId === next.import_id) return
    if (known) await this.#close(known)
    if (this.#readers.size < this.#maxReaders)
      this.#readers.set(row.region_id, new TripReader(readTaskOf(next, region)))
  }

  /** The reader of a file: the one that was started ahead if it reads the same, else a new one. */
  take(task: ReadTripsTask): TripReader {
    const known = this.#readers.get(task.regionId)
    if (known?.task.importId !== task.importId) return new TripReader(task)
    this.#readers.delete(task.regionId)
    if (JSON.stringify(known.task) === JSON.stringify(task)) return known
    void known.close()
    return new TripReader(task)
  }

  /** Closes the readers that nobody took. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#readers.values()].map((reader) => this.#close(reader)))
  }

  async #close(reader: TripReader): Promise<void> {
    this.#readers.delete(reader.task.regionId)
    await reader.close()
  }
}
