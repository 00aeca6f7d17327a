import { randomUUID } from 'node:crypto'
import { type ExportFormat, ExportQuestion } from '#contract/exports.ts'
import type { ExportTableName } from '#contract/export-tables.ts'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { Compliance } from '#server/compliance/days/find-records.ts'
import { canSeeSingleTrips, type Viewer } from '#server/http/viewer.ts'
import { loadViewer } from '#server/identity/find-viewer.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Job } from '#server/jobs/job.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Log } from '#server/jobs/log.ts'
import { publishEvent } from '#server/notifications/events/publish-event.ts'
import { queueNotifications } from '#server/notifications/notification-store.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { isDiskFull, readFreeBytes, minFreeBytes } from '#server/stores/disk-full.ts'
import type { Store } from '#server/stores/state.ts'
import { auditExport } from './audit-export.ts'
import { buildMonthlyZip, buildOperatorZip } from './build-zips.ts'
import { toSelection } from './check-question.ts'
import { computeChecksum, type ExportFiles } from './export-files.ts'
import { exportReadyKind } from './export-mail.ts'
import {
  claimExport,
  endExport,
  type ExportEnd,
  exportJob,
  type ExportRow,
  type ExportRun,
  getExportStore,
  type ExportTask,
  maxAttempts,
  findNextExport,
  type Progress,
  renewExport,
} from './export-store.ts'
import { writeTable } from './write-table.ts'

/** Dependencies of writing exports. */
export interface ExportingContext {
  compliance: Compliance
  files: ExportFiles
  log: Log
  now: () => Date
  /** Returns the free bytes on the disk of a folder; tests replace it. */
  getFreeBytes?: typeof readFreeBytes
}

/** Exports written concurrently; one session of the background workload remains for other jobs. */
const exportSlots = 2
/** Interval at which a run renews its lease, stores its progress and checks whether it was canceled. */
const renewalMs = 1000

/** Thrown if an export cannot be written; the user sees the message. */
class ExportProblem extends Error {
  override name = 'ExportProblem'
}

class RunStopped extends Error {
  override name = 'RunStopped'
  readonly reason: 'shutdown' | 'canceled'
  constructor(reason: RunStopped['reason']) {
    super(`The run of an export was stopped: ${reason}`)
    this.reason = reason
  }
}

/** Returns the job that writes all waiting exports and zips. */
export function writeExportsJob(exporting: ExportingContext): Job {
  const { compliance, now } = exporting
  return {
    ...exportJob,
    description: 'Writes files of raw data and monthly zips',
    slots: exportSlots,
    async run(stop) {
      for (
        let next = await findNextExport(compliance.state, now());
        next && !stop.aborted;
        next = await findNextExport(compliance.state, now())
      )
        await runExport(exporting, next, stop)
    },
  }
}

/** Queues the job if there are exports that wait or were abandoned by their process. */
export async function resumeExports(
  { compliance: { state }, now }: Pick<ExportingContext, 'compliance' | 'now'>,
  jobs: Pick<Jobs, 'send'>,
): Promise<void> {
  if (await findNextExport(state, now())) await jobs.send(exportJob, {})
}

/** Renews the lease of a run. Returns a signal that is aborted at a shutdown or cancellation. */
function watchRun({ now, log }: ExportingContext, exportId: string, stop: AbortSignal, renew: Renew) {
  const stopping = new AbortController()
  const progress: Progress = { rows: 0, total: null }
  const onShutdown = (): void => stopping.abort(new RunStopped('shutdown'))
  if (stop.aborted) onShutdown()
  stop.addEventListener('abort', onShutdown, { once: true })
  const renewLease = async (): Promise<void> => {
    if (!(await renew(progress, now()))) stopping.abort(new RunStopped('canceled'))
  }
  const timer = setInterval(
    () =>
      void renewLease().catch((error: unknown) =>
        log('lease of an export could not be renewed', { exportId, error: getErrorMessage(error) }),
      ),
    renewalMs,
  )
  return {
    signal: stopping.signal,
    onTotal: (rows: number): void => void (progress.total = rows),
    onProgress: (rows: number): void =>
      void (progress.rows = Math.max(progress.rows, Math.min(rows, progress.total ?? rows))),
    end(): void {
      clearInterval(timer)
      stop.removeEventListener('abort', onShutdown)
    },
  }
}
/** Renews the lease; false if the run no longer has it. */
type Renew = (progress: Progress, at: Date) => Promise<boolean>
type RunWatch = ReturnType<typeof watchRun>

/** Finds the user of an export, with current permissions. @throws ExportProblem if they no longer suffice. */
async function findExportViewer(
  { compliance: { state } }: ExportingContext,
  row: ExportRow,
): Promise<Viewer> {
  const viewer = row.user_id === null ? null : await loadViewer(state, row.user_id, '')
  if (!viewer?.scope.regionIds?.includes(row.region_id))
    throw new ExportProblem('You no longer have access to this region.')
  if (row.is_exact && !canSeeSingleTrips(viewer))
    throw new ExportProblem('You may no longer see single trips. Start the export again for rounded rows.')
  return viewer
}

/** Writes the file of an export and returns the number of rows. */
async function writeFile(
  exporting: ExportingContext,
  row: ExportRow,
  { organizationId, path, watch }: { organizationId: string; path: string; watch: RunWatch },
): Promise<number> {
  const { compliance, now } = exporting
  const scope =
    row.month === null
      ? (await findExportViewer(exporting, row)).scope
      : regionScope(organizationId, row.region_id)
  const region = await findRegion(compliance.state, scope, row.region_id)
  const context = {
    ...compliance,
    scope,
    organizationId,
    exportId: row.export_id,
    at: now(),
    signal: watch.signal,
  }
  const target = { ...watch, path }
  if (row.month !== null)
    return buildMonthlyZip(context, region, { month: row.month, version: row.version ?? 1 }, target)
  if (row.operator !== null) return buildOperatorZip(context, region, row.operator, target)
  const question = ExportQuestion.parse(row.question)
  const [rows = 0] = await writeTable(
    context,
    [
      {
        table: row.table_name as ExportTableName,
        format: row.format as ExportFormat,
        columns: question.columns,
        isExact: row.is_exact,
        selection: toSelection(region, question),
        path,
      },
    ],
    watch,
  )
  return rows
}

const diskFull = 'The disk of the server is full. Try again when there is space on it.'

/** Returns the outcome of a run that threw an error; null if it was canceled. */
function toOutcome(error: unknown, row: ExportRow): ExportEnd | null {
  if (error instanceof RunStopped) return error.reason === 'canceled' ? null : { status: 'queued' }
  if (error instanceof ExportProblem) return { status: 'failed', problem: error.message }
  if (isDiskFull(error)) return { status: 'failed', problem: diskFull }
  return {
    status: 'failed',
    problem: `The server could not write this file. Try again${row.month === null ? ', or choose a shorter period' : ''}.`,
  }
}

/** Marks an export as ready, and notifies its user. Returns false if it was canceled meanwhile. */
const finishExport = (
  store: Store,
  { row, owner }: ExportRun & { row: ExportRow },
  end: ExportEnd,
  at: Date,
): Promise<boolean> =>
  store.transaction().execute(async (transaction) => {
    if (!(await endExport(transaction, { row, owner }, end, at))) return false
    const { export_id: exportId, region_id: regionId } = row
    const data = { export_id: exportId, table: row.table_name }
    await publishEvent(transaction, { type: 'export.ready', regionId, data }, at)
    if (row.user_id !== null && row.month === null && row.operator === null) {
      const notification = {
        kind: exportReadyKind,
        regionId,
        userId: row.user_id,
        subscriptionId: null,
        payload: { exportId },
      }
      await queueNotifications(transaction, [notification], at)
    }
    return true
  })

/** Writes the file of an export to a temporary path, and stores it once it is complete. */
export async function runExport(
  exporting: ExportingContext,
  task: ExportTask,
  stop: AbortSignal,
): Promise<void> {
  const { compliance, files, log, now, getFreeBytes = readFreeBytes } = exporting
  const { exportId, organizationId } = task
  const store = getExportStore(compliance.state, task)
  const owner = randomUUID()
  const row = await claimExport(store, exportId, owner, now())
  if (!row) return
  const run = { row, owner }
  const removeFiles = async (): Promise<void> => {
    await files.remove(exportId)
    await compliance.facts.emptyExports([exportId])
  }
  if (row.attempts > maxAttempts) {
    const problem = 'The server stopped each time it wrote this file.'
    await endExport(store, run, { status: 'failed', problem }, now())
    return removeFiles()
  }
  const watch = watchRun(exporting, exportId, stop, (progress, at) => renewExport(store, run, progress, at))
  try {
    const path = await files.getTemporaryPath(exportId)
    const freeOnDisk = await getFreeBytes(files.folder)
    if (freeOnDisk !== null && freeOnDisk < minFreeBytes) throw new ExportProblem(diskFull)
    const rows = await writeFile(exporting, row, { organizationId, path, watch })
    const checksum = await computeChecksum(path)
    watch.signal.throwIfAborted()
    await files.finish(exportId)
    const at = now()
    if (!(await finishExport(store, run, { status: 'ready', rows, ...checksum }, at)))
      return await removeFiles()
    await auditExport(compliance.state, row, { organizationId, rows, at })
  } catch (thrown) {
    const error: unknown = watch.signal.aborted ? watch.signal.reason : thrown
    const outcome = toOutcome(error, row)
    if (outcome?.status === 'failed' && !(error instanceof ExportProblem))
      log('export failed', {
        exportId,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    await removeFiles().catch((problem: unknown) =>
      log('expired exports could not be removed', { exportId, error: getErrorMessage(problem) }),
    )
    if (outcome) await endExport(store, run, outcome, now())
  } finally {
    watch.end()
  }
}
