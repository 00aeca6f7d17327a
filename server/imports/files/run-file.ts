import type { Region } from '#contract/regions.ts'
import type { Facts } from '#server/stores/facts.ts'
import { escapeField } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { createOrderLookup } from '#server/table-files/date-orders.ts'
import type { ImportRow } from '../read-import.ts'
import { readFullName } from '../read-trip-file.ts'
import type { StoredSurvey } from '../survey-file.ts'
import { type ChunkOutcome, removeChunks, setAsideColumns } from '../trips/store-trip-chunk.ts'
import type { FileBatch, RejectedFileRow, FileAnswers, FileTask } from './file-kind.ts'
import { findFileKind } from './file-kinds.ts'

/** The run of an import of a file without trips. */
interface FileRun {
  state: State
  facts: Facts
  scope: Scope
  region: Region
  row: ImportRow
  /** The file on this machine. */
  filePath: string
  /** Whether an earlier run was interrupted. */
  isRepeat: boolean
  stop: AbortSignal
  /** Records that a batch is stored. */
  acknowledge: (
    batch: { rowsRead: number; bytesRead: number; chunk: number },
    outcome: ChunkOutcome,
  ) => Promise<void>
}

/** The counts of an import before its first row. */
const nothingRead = {
  rows_read: 0,
  rows_accepted: 0,
  rows_flagged: 0,
  rows_set_aside: 0,
  run_rows: 0,
  chunks: 0,
  progress: 0,
  flags: '{}',
  reasons: '{}',
}

/** Resets the counts of an interrupted file. It is read from its beginning, as storing is idempotent. */
async function resetImport({ state, facts, scope, row }: FileRun): Promise<void> {
  await removeChunks(facts, scope, row.import_id, 0)
  await state
    .as(scope)
    .updateTable('import')
    .set(nothingRead)
    .where('import_id', '=', row.import_id)
    .execute()
  Object.assign(row, nothingRead, { flags: {}, reasons: {} })
}

/** Formats a row of the table of rejected rows, with the columns `setAsideColumns`. */
const formatRejectedRow = (
  row: ImportRow,
  chunk: number,
  { line, reason, detail, raw }: RejectedFileRow,
): string =>
  `${row.region_id}\t${row.import_id}\t${chunk}\t${line}\t${reason}\t` +
  `${escapeField(detail)}\t${escapeField(JSON.stringify(raw))}\n`

/** Stores a file without trips in batches. Returns false if it was stopped and must be read again. */
export async function runFile(run: FileRun): Promise<boolean> {
  const { row, isRepeat, stop } = run
  const kind = findFileKind(row.kind)
  if (!kind) throw new Error(`No reader of files of kind ${row.kind}`)
  if (isRepeat) await resetImport(run)
  let chunk = 0
  let changedCount = 0
  let acceptedCount = 0
  for await (const batch of kind.read(await toFileTask(run))) {
    if (stop.aborted) return false
    changedCount += await batch.store()
    await storeRejected(run, chunk, batch)
    acceptedCount += batch.rows - batch.rejected.length
    await acknowledgeBatch(run, chunk++, batch)
  }
  // Issues and weather may have been stored before; vehicles are always a new snapshot.
  if (row.kind !== 'snapshot' && acceptedCount > 0) await storeChangeNote(run, changedCount)
  return true
}

/** Returns the input for the reader of the file. */
const toFileTask = async ({ state, facts, scope, region, row, filePath }: FileRun): Promise<FileTask> => ({
  filePath,
  fileName: await readFullName(filePath, row.file_name),
  sizeBytes: Number(row.bytes),
  regionId: row.region_id,
  importId: row.import_id,
  answers: row.given as FileAnswers,
  region,
  clock: civilClock(region.timezone),
  getDateOrder: createOrderLookup(
    (row.survey as StoredSurvey | null)?.dates ?? {},
    (row.given as FileAnswers).dateOrder ?? null,
  ),
  sentMs: row.created_time.getTime(),
  state,
  facts,
  scope,
})

async function storeRejected(
  { facts, scope, row }: FileRun,
  chunk: number,
  { rejected }: FileBatch,
): Promise<void> {
  if (rejected.length)
    await facts.insert(scope, 'set_aside_rows', {
      columns: setAsideColumns,
      regionId: row.region_id,
      lines: Buffer.from(rejected.map((rejectedRow) => formatRejectedRow(row, chunk, rejectedRow)).join('')),
    })
}

async function acknowledgeBatch({ acknowledge }: FileRun, chunk: number, batch: FileBatch): Promise<void> {
  const reasons: Record<string, number> = {}
  for (const { reason } of batch.rejected) reasons[reason] = (reasons[reason] ?? 0) + 1
  await acknowledge(
    { rowsRead: batch.rows, bytesRead: batch.bytes, chunk },
    {
      accepted: batch.rows - batch.rejected.length,
      flagged: 0,
      setAside: batch.rejected.length,
      flags: {},
      reasons,
    },
  )
}

/** Stores a note about how many issues or days of weather were new or changed. */
async function storeChangeNote({ state, scope, row }: FileRun, changedCount: number): Promise<void> {
  const noun = row.kind === 'issues' ? 'issues' : 'days'
  const note =
    changedCount === 0
      ? 'It contained nothing new.'
      : `${changedCount.toLocaleString('en')} ${noun} were new or changed.`
  await state
    .as(scope)
    .updateTable('import')
    .set({ notes: JSON.stringify([note]) })
    .where('import_id', '=', row.import_id)
    .execute()
}
