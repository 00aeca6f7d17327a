import { countIngested } from '#server/metrics/count-ingested.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { ImportRow } from './read-import.ts'
import type { ChunkOutcome } from './trips/store-trip-chunk.ts'
import { type ImportJobServices, RunStopped } from './watch-run.ts'

/** Adds counts by name; names with a count of 0 are left out. */
const addCounts = (a: Record<string, number>, b: Record<string, number>): Record<string, number> => {
  const sum = { ...a }
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count
  return Object.fromEntries(Object.entries(sum).filter(([, count]) => count !== 0))
}

/**
 * Records that a chunk is stored, so that an interrupted import continues after it. `chunk.chunk`: its number.
 * @throws RunStopped if the import was canceled or lost its lease.
 */
export async function acknowledgeChunk(
  { state, owner }: ImportJobServices,
  scope: Scope,
  {
    row,
    chunk,
    outcome,
  }: { row: ImportRow; chunk: { rowsRead: number; bytesRead: number; chunk: number }; outcome: ChunkOutcome },
): Promise<void> {
  const newValues = {
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
          rows_read: Number(newValues.rows_read),
          rows_accepted: Number(newValues.rows_accepted),
          rows_flagged: Number(newValues.rows_flagged),
          rows_set_aside: Number(newValues.rows_set_aside),
          run_rows: Number(newValues.run_rows),
          flags: JSON.stringify(newValues.flags),
          reasons: JSON.stringify(newValues.reasons),
          chunks: newValues.chunks,
          // The stored progress may be higher: it is that of the reader, which is ahead.
          progress: ({ fn, val }) => fn<number>('greatest', ['progress', val(newValues.progress)]),
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
  Object.assign(row, newValues)
}
