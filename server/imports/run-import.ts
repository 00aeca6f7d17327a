import { randomUUID } from 'node:crypto'
import type { TripMapping } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import { countIngested } from '#server/metrics/count-ingested.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Job } from '#server/jobs/job.ts'
import { regionScope } from '#server/identity/scope.ts'
import { collectImportedHours } from '#server/fleet/cubes/mark-derived-hours.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { isDiskFull } from '#server/stores/disk-full.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { removeImport } from './cancel-import.ts'
import type { StoredAnswers } from './files/file-kind.ts'
import { runFile } from './files/run-file.ts'
import {
  type Claim,
  claimImport,
  type RunEnd,
  endRun,
  findFollowingTripFile,
  type ImportTask,
  importJob,
  findNextImport,
  renewLease,
} from './import-queue.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { type ReadAhead, createReadTask } from './trips/read-ahead.ts'
import { ReadingProblem, surveyOnThread } from './trips/read-trip-chunks.ts'
import type { ImportRow } from './read-import.ts'
import { outsideRegionQuestion, placeColumns } from './open-questions.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { localTripFile, removeTripFile } from './trip-uploads.ts'
import type { StoredSurvey } from './survey-file.ts'
import { type ChunkOutcome, removeChunks, storeTripChunk } from './trips/store-trip-chunk.ts'

/** Dependencies of the import job. */
export interface ImportJobServices {
  state: State
  facts: Facts
  blobs: BlobStore
  log: Log
  /** The owner of the lease, which makes sure that only one process imports a file. */
  owner: string
  ahead: ReadAhead
  now: () => Date
}

/**
 * The number of concurrent imports, each in another region. An import has a reader thread and at most three
 * chunks in memory: one being stored, one waiting, and one of the next file.
 */
export const importSlots = 3

/** The interval at which a run renews its lease, stores its progress and checks whether it was canceled. */
const heartbeatMs = 1000

/** A run without progress for this long is stopped. */
const stallMs = 10 * 60_000

/** After this time an import yields to another waiting region; later if it took long to resume the file. */
const sliceMs = 20_000

/** A run was stopped from outside. */
class RunStopped extends Error {
  override name = 'RunStopped'
  readonly reason: 'shutdown' | 'canceled' | 'stalled'
  constructor(reason: RunStopped['reason']) {
    super(`The run of an import was stopped: ${reason}`)
    this.reason = reason
  }
}

/** The job that imports waiting files. Failures are stored with the import. */
export function importFilesJob(services: Omit<ImportJobServices, 'owner'>): Job {
  const { state, now, ahead } = services
  let running = 0
  return {
    ...importJob,
    description: 'Imports files that were uploaded, one per region at a time',
    slots: importSlots,
    async run(stop) {
      running++
      try {
        for (
          let next = await findNextImport(state, now());
          next && !stop.aborted;
          next = await findNextImport(state, now())
        ) {
          // Each run has its own owner id, so that a run that lost its lease does not use that of a later
          // run.
          if (!(await runImport({ ...services, owner: randomUUID() }, next, stop))) return
        }
      } finally {
        if (--running === 0) await ahead.closeAll()
      }
    },
  }
}

const addCounts = (a: Record<string, number>, b: Record<string, number>): Record<string, number> => {
  const sum = { ...a }
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count
  return Object.fromEntries(Object.entries(sum).filter(([, count]) => count !== 0))
}

/** Records that a chunk is stored, so that an interrupted import continues after it. */
async function acknowledge(
  { state, owner }: ImportJobServices,
  scope: Scope,
  row: ImportRow,
  chunk: { rowsRead: number; bytesRead: number; chunk: number },
  outcome: ChunkOutcome,
): Promise<void> {
  const next = {
    rows_read: String(Number(row.rows_read) + chunk.rowsRead),
    rows_accepted: String(Number(row.rows_accepted) + outcome.accepted),
    rows_flagged: String(Number(row.rows_flagged) + outcome.flagged),
    rows_set_aside: String(Number(row.rows_set_aside) + outcome.setAside),
    run_rows: String(Number(row.run_rows) + chunk.rowsRead),
    flags: addCounts(row.flags, outcome.flags),
    reasons: addCounts(row.reasons, outcome.reasons),
    chunks: chunk.chunk + 1,
    progress: Math.min(1, chunk.bytesRead / Math.max(1, Number(row.bytes))),
  }
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const { numUpdatedRows } = await store
        .updateTable('import')
        .set({
          rows_read: Number(next.rows_read),
          rows_accepted: Number(next.rows_accepted),
          rows_flagged: Number(next.rows_flagged),
          rows_set_aside: Number(next.rows_set_aside),
          run_rows: Number(next.run_rows),
          flags: JSON.stringify(next.flags),
          reasons: JSON.stringify(next.reasons),
          chunks: next.chunks,
          // The stored progress may be higher: it is that of the reader, which is ahead.
          progress: ({ fn, val }) => fn<number>('greatest', ['progress', val(next.progress)]),
          attempts: 0,
        })
        .where('import_id', '=', row.import_id)
        .where('lease_owner', '=', owner)
        .where('status', '=', 'running')
        .executeTakeFirstOrThrow()
      if (!numUpdatedRows) throw new RunStopped('canceled')
      await increaseFactsVersion({ as: () => store }, scope, row.region_id)
    })
  countIngested('file', outcome)
  Object.assign(row, next)
}

/** Marks the hours of an import's trips as dirty. */
async function markHours(
  { state, facts, now }: ImportJobServices,
  scope: Scope,
  row: ImportRow,
): Promise<void> {
  if (row.kind !== 'trips') return
  const { timezone } = await findRegion(state, scope, row.region_id)
  const markCollectedHours = await collectImportedHours(
    { state, facts, now: () => now().getTime() },
    scope,
    { regionId: row.region_id, timezone },
    row.import_id,
  )
  await markCollectedHours()
}

/**
 * Renews the lease of a run until `end`, and stops the run at shutdown, when it was canceled or if it stalls.
 */
function watchRun(
  { state, owner, now, log }: ImportJobServices,
  scope: Scope,
  row: ImportRow,
  stop: AbortSignal,
) {
  const stopping = new AbortController()
  let bytesRead = 0
  let bytesSurveyed = 0
  let lastProgress = ''
  let lastProgressMs = now().getTime()
  const onShutdown = (): void => stopping.abort(new RunStopped('shutdown'))
  if (stop.aborted) onShutdown()
  stop.addEventListener('abort', onShutdown, { once: true })
  const sendHeartbeat = async (): Promise<void> => {
    const progress = `${bytesRead} ${bytesSurveyed} ${row.chunks}`
    if (progress !== lastProgress) lastProgressMs = now().getTime()
    else if (now().getTime() - lastProgressMs > stallMs) stopping.abort(new RunStopped('stalled'))
    lastProgress = progress
    const share = Math.min(1, bytesRead / Math.max(1, Number(row.bytes)))
    if (!(await renewLease(state, owner, scope, row.import_id, Math.max(share, row.progress), now())))
      stopping.abort(new RunStopped('canceled'))
  }
  const timer = setInterval(
    () =>
      void sendHeartbeat().catch((error: unknown) =>
        log('lease of an import', { importId: row.import_id, error: String(error) }),
      ),
    heartbeatMs,
  )
  return {
    signal: stopping.signal,
    onBytes: (bytes: number): void => void (bytesRead = bytes),
    /** Prevents the run from stalling without counting as progress of the import. */
    onSurveyed: (bytes: number): void => void (bytesSurveyed = bytes),
    end(): void {
      clearInterval(timer)
      stop.removeEventListener('abort', onShutdown)
    },
  }
}

type RunWatch = ReturnType<typeof watchRun>

/**
 * Counts the locations of all rows before any row is stored, if the user chose the columns after the upload.
 * Not done in the request, because it takes too long to read the complete file. Returns a question if most
 * rows are outside of the region.
 */
async function surveyPlaces(
  { state, blobs, owner }: ImportJobServices,
  scope: Scope,
  row: ImportRow,
  region: Region,
  { signal, onSurveyed }: Pick<RunWatch, 'signal' | 'onSurveyed'>,
): Promise<string | null> {
  const survey = row.survey as StoredSurvey | null
  const place = placeColumns(row.mapping as TripMapping)
  if (!survey || survey.places || !place || row.chunks > 0 || (row.given as StoredAnswers).acceptOutside)
    return null
  const { places } = await surveyOnThread(
    { filePath: await localTripFile(blobs, row), isTable: true, place, center: region },
    signal,
    onSurveyed,
  )
  row.survey = { ...survey, places, placeColumns: place }
  await state
    .as(scope)
    .updateTable('import')
    .set({ survey: JSON.stringify(row.survey) })
    .where('import_id', '=', row.import_id)
    .where('lease_owner', '=', owner)
    .execute()
  return outsideRegionQuestion(places, region)
}

/** Stores the trips of a file chunk by chunk. Ends as `queued` if another region is waiting. */
async function storeTrips(
  services: ImportJobServices,
  scope: Scope,
  { row, isRepeat }: Claim,
  { signal, onBytes, onSurveyed }: RunWatch,
): Promise<RunEnd> {
  const { state, facts, now, log, ahead } = services
  const { region_id: regionId, import_id: importId } = row
  const region = await findRegion(state, scope, regionId)
  const question = await surveyPlaces(services, scope, row, region, { signal, onSurveyed })
  if (question)
    return { status: 'needs_mapping', problem: null, question: { ask: 'outside_region', note: question } }
  if (isRepeat) await removeChunks(facts, scope, importId, row.chunks)
  const readNext = (): void =>
    void ahead
      .start(region, () => findFollowingTripFile(state.as(scope), row))
      .catch((error: unknown) => log('reading ahead of an import', { importId, error: String(error) }))
  const startMs = now().getTime()
  let firstChunkMs: number | null = null
  const reader = ahead.claim(await createReadTask(services.blobs, row, region))
  for await (const chunk of reader.chunks(signal, onBytes, readNext)) {
    signal.throwIfAborted()
    firstChunkMs ??= now().getTime()
    await acknowledge(
      services,
      scope,
      row,
      chunk,
      await storeTripChunk(facts, scope, regionId, importId, chunk),
    )
    const isSliceOver = now().getTime() - firstChunkMs > Math.max(sliceMs, 2 * (firstChunkMs - startMs))
    if (isSliceOver && (await findNextImport(state, now()))) return { status: 'queued', problem: null }
  }
  return { status: 'done', problem: null }
}

/** Reads and stores a claimed file. */
async function importFile(
  services: ImportJobServices,
  scope: Scope,
  claim: Claim,
  watch: RunWatch,
): Promise<RunEnd> {
  const { state, facts } = services
  const { row } = claim
  const filePath = await localTripFile(services.blobs, row)
  if (row.kind !== 'trips') {
    const isDone = await runFile({
      state,
      facts,
      scope,
      region: await findRegion(state, scope, row.region_id),
      row,
      filePath,
      isRepeat: claim.isRepeat,
      stop: watch.signal,
      acknowledge: (batch, outcome) => acknowledge(services, scope, row, batch, outcome),
    })
    watch.signal.throwIfAborted()
    return { status: isDone ? 'done' : 'queued', problem: null }
  }
  const end = await storeTrips(services, scope, claim, watch)
  watch.signal.throwIfAborted()
  if (end.status === 'done') await markHours(services, scope, row)
  return end
}

/** How a run ends after an error; null if it was canceled. */
function toRunEnd(error: unknown, row: ImportRow): RunEnd | null {
  const storedNote = `${Number(row.rows_read)} rows before that are stored; try again to go on from there.`
  if (error instanceof RunStopped) {
    if (error.reason === 'canceled') return null
    if (error.reason === 'shutdown') return { status: 'queued', problem: null }
    return {
      status: 'failed',
      problem: `The server read nothing more of this file for ten minutes. ${storedNote}`,
    }
  }
  if (error instanceof ReadingProblem || error instanceof TableFileError)
    return { status: 'failed', problem: `${error.message} ${storedNote}` }
  if (isDiskFull(error))
    return {
      status: 'failed',
      problem: `The disk of the server is full, so no more rows can be stored. Free space on it first. ${storedNote}`,
    }
  return { status: 'failed', problem: `The server could not store more rows. ${storedNote}` }
}

/**
 * Runs an import from where it stopped. Returns false if it could not be claimed. Rows of acknowledged chunks
 * are skipped, and an incomplete chunk is removed and stored again.
 */
export async function runImport(
  services: ImportJobServices,
  task: ImportTask,
  stop: AbortSignal,
): Promise<boolean> {
  const { state, log, owner, now } = services
  const scope = regionScope(task.organizationId, task.regionId)
  const claim = await claimImport(state, owner, scope, task, now())
  if (!claim) return false
  const { row } = claim
  const endThisRun = (end: RunEnd): Promise<void> => endRun(state, owner, scope, task.importId, end, now())
  if (row.status === 'canceling') {
    await removeImport(services, scope, row).catch((error: unknown) =>
      log('import could not be removed', { importId: task.importId, error: String(error) }),
    )
    return true
  }
  if (claim.hasTooManyAttempts) {
    await endThisRun({
      status: 'failed',
      problem: 'The server stopped each time it read this file. Send the file in parts, or try again.',
    })
    return true
  }
  const watch = watchRun(services, scope, row, stop)
  try {
    const end = await importFile(services, scope, claim, watch)
    await endThisRun(end)
    // The file may contain personal data, so it is removed when its rows are stored.
    if (end.status === 'done') await removeTripFile(services.blobs, row.file_path)
  } catch (thrown) {
    const error: unknown = watch.signal.aborted ? watch.signal.reason : thrown
    const end = toRunEnd(error, row)
    if (end?.status === 'failed')
      await markHours(services, scope, row).catch((problem: unknown) =>
        log('hours of an import', { importId: task.importId, error: String(problem) }),
      )
    if (end?.problem && !(error instanceof ReadingProblem || error instanceof TableFileError))
      log('import failed', {
        importId: task.importId,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    await endThisRun(end ?? { status: 'queued', problem: null })
  } finally {
    watch.end()
  }
  return true
}
