import type { Region } from '#contract/regions.ts'
import { type TripMapping, usesStations } from '#contract/imports.ts'
import type { ImportRow } from '../read-import.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { findLocalTripFile, getStationsKey } from '../trip-uploads.ts'
import { TripReader } from './read-trip-chunks.ts'
import type { ReadTripsTask } from './read-trips.ts'
import type { StoredSurvey } from '../survey-file.ts'

/** Creates the task for reading an import's file after the last acknowledged chunk. */
export const createReadTask = async (
  blobs: BlobStore,
  row: ImportRow,
  region: Region,
): Promise<ReadTripsTask> => ({
  filePath: await findLocalTripFile(blobs, row),
  mapping: row.mapping as TripMapping,
  dates: (row.survey as StoredSurvey | null)?.dates ?? {},
  stationsPath: usesStations(row.mapping as TripMapping)
    ? await blobs.localFile(getStationsKey(row.file_path))
    : null,
  regionId: row.region_id,
  importId: row.import_id,
  timezone: region.timezone,
  center: { lon: region.lon, lat: region.lat },
  skipRows: Number(row.rows_read),
  skipChunks: row.chunks,
})

/**
 * Readers of the next file of each region, so that a small file is read while the last rows of the previous
 * one are stored. Reading has no effects: the import is still claimed and stored by its own run, and a reader
 * that no run claims is closed.
 */
export class ReadAhead {
  readonly #readers = new Map<string, TripReader>()
  readonly #blobs: BlobStore
  readonly #maxReaders: number

  /** Each reader has at most one chunk in memory. */
  constructor(blobs: BlobStore, maxReaders: number) {
    this.#blobs = blobs
    this.#maxReaders = maxReaders
  }

  /** Starts to read the next file of a region. */
  async start(region: Region, findNext: () => Promise<ImportRow | undefined>): Promise<void> {
    const next = await findNext()
    const current = this.#readers.get(region.regionId)
    if (!next || current?.task.importId === next.import_id) return
    if (current) await this.#close(current)
    if (this.#readers.size >= this.#maxReaders) return
    this.#readers.set(region.regionId, new TripReader(await createReadTask(this.#blobs, next, region)))
    // The import may have been canceled before its reader was registered.
    if ((await findNext())?.import_id !== next.import_id) await this.drop(next.import_id)
  }

  /** Returns the reader that was started ahead with the same task, or else a new one. */
  claim(task: ReadTripsTask): TripReader {
    const reader = this.#readers.get(task.regionId)
    if (reader?.task.importId !== task.importId) return new TripReader(task)
    this.#readers.delete(task.regionId)
    if (JSON.stringify(reader.task) === JSON.stringify(task)) return reader
    void reader.close()
    return new TripReader(task)
  }

  /** Closes the reader of an import that was canceled. */
  async drop(importId: string): Promise<void> {
    const reader = [...this.#readers.values()].find(({ task }) => task.importId === importId)
    if (reader) await this.#close(reader)
  }

  /** Closes the unclaimed readers. */
  async closeAll(): Promise<void> {
    await Promise.all([...this.#readers.values()].map((reader) => this.#close(reader)))
  }

  async #close(reader: TripReader): Promise<void> {
    this.#readers.delete(reader.task.regionId)
    await reader.close()
  }
}
