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
import type { FileGiven } from './files/file-kind.ts'
import { runFile } from './files/run-file.ts'
import {
  type Claim,
  claimImport,
  type End,
  endRun,
  followingTrips,
  type ImportTask,
  importJob,
  nextImport,
  renewLease,
} from './import-queue.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { type ReadAhead, readTaskOf } from './trips/read-ahead.ts'
import { ReadingProblem, surveyOnThread } from './trips/read-trip-chunks.ts'
import type { ImportRow } from './read-import.ts'
import { outsideRegion, placeColumns } from './open-questions.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import { localTripFile, removeTripFile } from './trip-uploads.ts'
import type { StoredSurvey } from './survey-file.ts'
import { type ChunkOutcome, removeChunks, storeTripChunk } from './trips/store-trip-chunk.ts'

export interface Importing {
  state: State
  facts: Facts
  blobs: BlobStore
  log: Log
  /** The owner of the lease: one process imports a file at a time. */
  owner: string
  ahead: ReadAhead
  now: () => Date
}

/** Concurrent imports, each of another region. Each has a reader thread and at most three chunks in memory: one is stored, one waits, one of the next file is read ahead. */
export const importSlots = 3

/** How often a run renews its lease, stores its progress and checks whether it was canceled. */
const heartbeatMs = 1000

/** A run without any progress for this long is stopped. */
const stallMs = 10 * 60_000

/** After this time an import makes room for another waiting region; later if resuming the file takes long. */
const sliceMs = 20_000

/** Why a run was stopped from outside. */
class RunStopped extends Error {
  override name = 'RunStopped'
  readonly why: 'shutdown' | 'canceled' | 'stalled'
  constructor(why: RunStopped['why']) {
    super(`The run of an import was stopped: ${why}`)
    this.why = why
  }
}

/** Imports every waiting file; a failure is stored with the import, never lost. */
export function importFilesJob(given: Omit<Importing, 'owner'>): Job {
  const { state, now, ahead } = given
  let running = 0
  return {
    ...importJob,
    description: 'Imports files that were uploaded, one per region at a time',
    slots: importSlots,
    async run(stop) {
      running++
      try {
        for (
          let next = await nextImport(state, now());
          next && !stop.aborted;
          next = await nextImport(state, now())
        ) {
          // Each run has its own owner id: a lost lease must not be mistaken for the next one.
          if (!(await runImport({ ...given, owner: randomUUID() }, next, stop))) return
        }
      } finally {
        if (--running === 0) await ahead.closeAll()
      }
    },
  }
}

const add = (a: Record<string, number>, b: Record<string, number>): Record<string, number> => {
  const sum = { ...a }
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count
  return Object.fromEntries(Object.entries(sum).filter(([, count]) => count !== 0))
}

/** Records that a chunk is stored: it is acknowledged, and an interrupted import continues after it. */
async function acknowledge(
  { state, owner }: Importing,
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
    flags: add(row.flags, outcome.flags),
    reasons: add(row.reasons, outcome.reasons),
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
          // The reader is ahead of the store, and its progress is stored already.
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
async function markHours({ state, facts, now }: Importing, scope: Scope, row: ImportRow): Promise<void> {
  if (row.kind !== 'trips') return
  const { timezone } = await findRegion(state, scope, row.region_id)
  const note = await collectImportedHours(
    { state, facts, now: () => now().getTime() },
    scope,
    { regionId: row.region_id, timezone },
    row.import_id,
  )
  await note()
}

/** Stops a run at a shutdown, when it was canceled, and when it stalls. Renews its lease until `end`. */
function watchRun({ state, owner, now, log }: Importing, scope: Scope, row: ImportRow, stop: AbortSignal) {
  const stopping = new AbortController()
  let bytesRead = 0
  let bytesSurveyed = 0
  let mark = ''
  let movedAt = now().getTime()
  const onShutdown = (): void => stopping.abort(new RunStopped('shutdown'))
  if (stop.aborted) onShutdown()
  stop.addEventListener('abort', onShutdown, { once: true })
  const beat = async (): Promise<void> => {
    const before = mark
    mark = `${bytesRead} ${bytesSurveyed} ${row.chunks}`
    if (mark !== before) movedAt = now().getTime()
    else if (now().getTime() - movedAt > stallMs) stopping.abort(new RunStopped('stalled'))
    const share = Math.min(1, bytesRead / Math.max(1, Number(row.bytes)))
    if (!(await renewLease(state, owner, scope, row.import_id, Math.max(share, row.progress), now())))
      stopping.abort(new RunStopped('canceled'))
  }
  const timer = setInterval(
    () =>
      void beat().catch((error: unknown) =>
        log('lease of an import', { importId: row.import_id, error: String(error) }),
      ),
    heartbeatMs,
  )
  return {
    signal: stopping.signal,
    onBytes: (bytes: number): void => void (bytesRead = bytes),
    /** Keeps the run alive without counting as progress. */
    onSurveyed: (bytes: number): void => void (bytesSurveyed = bytes),
    end(): void {
      clearInterval(timer)
      stop.removeEventListener('abort', onShutdown)
    },
  }
}

type RunWatch = ReturnType<typeof watchRun>

/**
 * Counts the places of a file if a user chose its columns after the upload, before any row is stored: this reads the whole file, which no
 * request can wait for. Returns a question if most rows are outside of the region.
 */
async function surveyPlaces(
  { state, blobs, owner }: Importing,
  scope: Scope,
  row: ImportRow,
  region: Region,
  signal: AbortSignal,
  onSurveyed: (bytes: number) => void,
): Promise<string | null> {
  const survey = row.survey as StoredSurvey | null
  const place = placeColumns(row.mapping as TripMapping)
  if (!survey || survey.places || !place || row.chunks > 0 || (row.given as FileGiven).acceptOutside)
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
  return outsideRegion(places, region)
}

/** Stores the trips of a file chunk by chunk; `queued` if it made room for another region. */
async function storeTrips(
  importing: Importing,
  scope: Scope,
  { row, isRepeat }: Claim,
  { signal, onBytes, onSurveyed }: RunWatch,
): Promise<End> {
  const { state, facts, now, log, ahead } = importing
  const { region_id: regionId, import_id: importId } = row
  const region = await findRegion(state, scope, regionId)
  const question = await surveyPlaces(importing, scope, row, region, signal, onSurveyed)
  if (question)
    return { status: 'needs_mapping', problem: null, question: { ask: 'outside_region', note: question } }
  if (isRepeat) await removeChunks(facts, scope, importId, row.chunks)
  const readNext = (): void =>
    void ahead
      .start(region, () => followingTrips(state.as(scope), row))
      .catch((error: unknown) => log('reading ahead of an import', { importId, error: String(error) }))
  const startMs = now().getTime()
  let firstMs: number | null = null
  const reader = ahead.claim(await readTaskOf(importing.blobs, row, region))
  for await (const chunk of reader.chunks(signal, onBytes, readNext)) {
    signal.throwIfAborted()
    firstMs ??= now().getTime()
    await acknowledge(
      importing,
      scope,
      row,
      chunk,
      await storeTripChunk(facts, scope, regionId, importId, chunk),
    )
    const isOver = now().getTime() - firstMs > Math.max(sliceMs, 2 * (firstMs - startMs))
    if (isOver && (await nextImport(state, now()))) return { status: 'queued', problem: null }
  }
  return { status: 'done', problem: null }
}

/** Reads and stores a claimed file, and returns how that ended. */
async function importFile(importing: Importing, scope: Scope, claim: Claim, watch: RunWatch): Promise<End> {
  const { state, facts } = importing
  const { row } = claim
  const filePath = await localTripFile(importing.blobs, row)
  if (row.kind !== 'trips') {
    const isDone = await runFile({
      state,
      facts,
      scope,
      region: await findRegion(state, scope, row.region_id),
      row,
      filePath,
      again: claim.isRepeat,
      stop: watch.signal,
      acknowledge: (batch, outcome) => acknowledge(importing, scope, row, batch, outcome),
    })
    watch.signal.throwIfAborted()
    return { status: isDone ? 'done' : 'queued', problem: null }
  }
  const end = await storeTrips(importing, scope, claim, watch)
  watch.signal.throwIfAborted()
  if (end.status === 'done') await markHours(importing, scope, row)
  return end
}

/** The end of an interrupted run; null if it was canceled. */
function endOf(error: unknown, row: ImportRow): End | null {
  const stored = `${Number(row.rows_read)} rows before that are stored; try again to go on from there.`
  if (error instanceof RunStopped) {
    if (error.why === 'canceled') return null
    if (error.why === 'shutdown') return { status: 'queued', problem: null }
    return {
      status: 'failed',
      problem: `The server read nothing more of this file for ten minutes. ${stored}`,
    }
  }
  if (error instanceof ReadingProblem || error instanceof TableFileError)
    return { status: 'failed', problem: `${error.message} ${stored}` }
  if (isDiskFull(error))
    return {
      status: 'failed',
      problem: `The disk of the server is full, so no more rows can be stored. Free space on it first. ${stored}`,
    }
  return { status: 'failed', problem: `The server could not store more rows. ${stored}` }
}

/**
 * Imports a file from where it stopped; false if it could not be claimed. Rows of acknowledged chunks are skipped, an incomplete chunk is
 * removed and stored again.
 */
export async function runImport(importing: Importing, task: ImportTask, stop: AbortSignal): Promise<boolean> {
  const { state, log, owner, now } = importing
  const scope = regionScope(task.organizationId, task.regionId)
  const claim = await claimImport(state, owner, scope, task, now())
  if (!claim) return false
  const { row } = claim
  const end = (how: End): Promise<void> => endRun(state, owner, scope, task.importId, how, now())
  if (row.status === 'canceling') {
    await removeImport(importing, scope, row).catch((error: unknown) =>
      log('import could not be removed', { importId: task.importId, error: String(error) }),
    )
    return true
  }
  if (claim.hasTooManyAttempts) {
    await end({
      status: 'failed',
      problem: 'The server stopped each time it read this file. Send the file in parts, or try again.',
    })
    return true
  }
  const run = watchRun(importing, scope, row, stop)
  try {
    const how = await importFile(importing, scope, claim, run)
    await end(how)
    // The file may hold personal data: it is removed once its rows are stored.
    if (how.status === 'done') await removeTripFile(importing.blobs, row.file_path)
  } catch (thrown) {
    const error: unknown = run.signal.aborted ? run.signal.reason : thrown
    const how = endOf(error, row)
    if (how?.status === 'failed')
      await markHours(importing, scope, row).catch((problem: unknown) =>
        log('hours of an import', { importId: task.importId, error: String(problem) }),
      )
    if (how?.problem && !(error instanceof ReadingProblem || error instanceof TableFileError))
      log('import failed', {
        importId: task.importId,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    await end(how ?? { status: 'queued', problem: null })
  } finally {
    run.end()
  }
  return true
}
