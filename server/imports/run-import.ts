import { randomUUID } from 'node:crypto'
import { getErrorMessage } from '#contract/problem-text.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Job } from '#server/jobs/job.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { isDiskFull } from '#server/stores/disk-full.ts'
import type { Scope } from '#server/stores/scope.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { acknowledgeChunk } from './acknowledge-chunk.ts'
import { removeImport } from './cancel-import.ts'
import { runFile } from './files/run-file.ts'
import {
  type Claim,
  claimImport,
  type RunEnd,
  endRun,
  type ImportTask,
  importJob,
  findNextImport,
} from './import-queue.ts'
import { markHours, storeTrips } from './import-trips.ts'
import type { ImportRow } from './read-import.ts'
import { findLocalTripFile, removeTripFile } from './trip-uploads.ts'
import { ReadingProblem } from './trips/read-trip-chunks.ts'
import { type ImportJobServices, RunStopped, watchRun, type RunWatch } from './watch-run.ts'

/**
 * The number of concurrent imports, each in another region. An import has a reader thread and at most three
 * chunks in memory: one being stored, one waiting, and one of the next file.
 */
export const importSlots = 3

/** Returns the job that imports waiting files. Failures are stored with the import. */
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
          // Each run has its own owner id: one that lost its lease must not use that of a later run.
          if (!(await runImport({ ...services, owner: randomUUID() }, next, stop))) return
        }
      } finally {
        if (--running === 0) await ahead.closeAll()
      }
    },
  }
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
  const filePath = await findLocalTripFile(services.blobs, row)
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
      acknowledge: (batch, outcome) => acknowledgeChunk(services, scope, { row, chunk: batch, outcome }),
    })
    watch.signal.throwIfAborted()
    return { status: isDone ? 'done' : 'queued', problem: null }
  }
  const end = await storeTrips(services, scope, claim, watch)
  watch.signal.throwIfAborted()
  if (end.status === 'done') await markHours(services, scope, row)
  return end
}

/** Returns how a run ends after an error; null if it was canceled. */
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
  const claim = await claimImport(state, scope, task, { owner, at: now() })
  if (!claim) return false
  const { row } = claim
  const endThisRun = (end: RunEnd): Promise<void> =>
    endRun(state, scope, { owner, importId: task.importId, end, at: now() })
  if (row.status === 'canceling') {
    await removeImport(services, scope, row).catch((error: unknown) =>
      log('import could not be removed', { importId: task.importId, error: getErrorMessage(error) }),
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
        log('hours of an import could not be marked', {
          importId: task.importId,
          error: getErrorMessage(problem),
        }),
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
