import fs from 'node:fs/promises'
import type { TripMapping } from '#contract/ingest.ts'
import type { Log } from '#server/jobs/log.ts'
import { regionScope } from '#server/identity/scope.ts'
import { importedHours } from '#server/mobility/cubes/note-derived-hours.ts'
import { countFactsVersion } from '#server/regions/facts-version.ts'
import { findRegion } from '#server/regions/find-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { runFile } from './files/run-file.ts'
import type { ImportTask } from './import-task.ts'
import { TripFileError } from './open-trip-file.ts'
import { readTripChunks, ReadingProblem } from './read-trip-chunks.ts'
import type { ImportRow } from './read-import.ts'
import { type ChunkOutcome, removeChunks, storeTripChunk } from './store-trip-chunk.ts'

export interface Importing {
  state: State
  facts: Facts
  log: Log
  /** Who holds the lease: one process imports a file at a time. */
  owner: string
  now: () => Date
}

/** A lease that is not renewed for this long is free: its process is gone. */
const leaseMs = 30_000

const add = (a: Record<string, number>, b: Record<string, number>): Record<string, number> => {
  const sum = { ...a }
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count
  return Object.fromEntries(Object.entries(sum).filter(([, count]) => count !== 0))
}

async function takeLease({ state, owner, now }: Importing, scope: Scope, importId: string): Promise<{ row: ImportRow; again: boolean } | null> {
  const at = now()
  const before = await state.as(scope).selectFrom('import').select('started_time').where('import_id', '=', importId).executeTakeFirst()
  const row = await state
    .as(scope)
    .updateTable('import')
    .set({ status: 'running', lease_owner: owner, lease_until: new Date(at.getTime() + leaseMs), started_time: at, run_rows: 0, problem: null })
    .where('import_id', '=', importId)
    .where('status', 'in', ['queued', 'running'])
    .where((is) => is.or([is('lease_until', 'is', null), is('lease_until', '<', at)]))
    .returningAll()
    .executeTakeFirst()
  return row ? { row, again: before?.started_time !== null } : null
}

/** Writes down that a chunk is stored: from here on it is acknowledged, and an import cut off goes on after it. */
async function acknowledge({ state, owner, now }: Importing, scope: Scope, row: ImportRow, chunk: { rowsRead: number; bytesRead: number; chunk: number }, outcome: ChunkOutcome): Promise<void> {
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
  await state.as(scope).transaction().execute(async (store) => {
    const { numUpdatedRows } = await store
      .updateTable('import')
      .set({
        rows_read: Number(next.rows_read), rows_accepted: Number(next.rows_accepted), rows_flagged: Number(next.rows_flagged), rows_set_aside: Number(next.rows_set_aside), run_rows: Number(next.run_rows),
        flags: JSON.stringify(next.flags), reasons: JSON.stringify(next.reasons), chunks: next.chunks, progress: next.progress, lease_until: new Date(now().getTime() + leaseMs),
      })
      .where('import_id', '=', row.import_id)
      .where('lease_owner', '=', owner)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw new Error('The import was taken over or deleted')
    await countFactsVersion({ as: () => store }, scope, row.region_id)
  })
  Object.assign(row, next)
}

const end = (importing: Importing, scope: Scope, importId: string, how: { status: 'done' | 'failed' | 'queued'; problem: string | null }): Promise<unknown> =>
  importing.state
    .as(scope)
    .updateTable('import')
    .set({ ...how, finished_time: how.status === 'queued' ? null : importing.now(), lease_owner: null, lease_until: null })
    .where('import_id', '=', importId)
    .where('lease_owner', '=', importing.owner)
    .execute()

/** Imports a file from where it stopped; false where another process has it. Rows that an acknowledged chunk holds are skipped, a chunk in doubt is removed and stored again. */
export async function runImport(importing: Importing, { organizationId, regionId, importId }: ImportTask, stop: AbortSignal): Promise<boolean> {
  const { state, facts, log } = importing
  const scope = regionScope(organizationId, regionId)
  const lease = await takeLease(importing, scope, importId)
  if (!lease) return false
  const { row, again } = lease
  // A chunk that takes long (a busy store) must not look like a process that is gone.
  const beat = setInterval(() => void state.as(scope).updateTable('import').set({ lease_until: new Date(importing.now().getTime() + leaseMs) }).where('import_id', '=', importId).where('lease_owner', '=', importing.owner).execute().catch(() => undefined), leaseMs / 3)
  /** Cubes of the hours that its trips are in are computed anew. */
  const noteHours = async (): Promise<void> => {
    const { timezone } = await findRegion(state, scope, regionId)
    if (row.kind === 'trips') await importedHours({ state, facts, now: () => importing.now().getTime() }, scope, regionId, timezone, importId).then((note) => note())
  }
  try {
    const region = await findRegion(state, scope, regionId)
    if (row.kind !== 'trips') {
      const isDone = await runFile({ state, facts, scope, region, row, again, stop, acknowledge: (batch, outcome) => acknowledge(importing, scope, row, batch, outcome) })
      await end(importing, scope, importId, { status: isDone ? 'done' : 'queued', problem: null })
      if (isDone) await fs.rm(row.file_path, { force: true })
      return true
    }
    if (again) await removeChunks(facts, scope, importId, row.chunks)
    const task = {
      filePath: row.file_path, mapping: row.mapping as TripMapping, regionId, importId, zone: region.timezone, centre: { lon: region.lon, lat: region.lat }, skipRows: Number(row.rows_read), skipChunks: row.chunks,
    }
    for await (const chunk of readTripChunks(task)) {
      if (stop.aborted) {
        await end(importing, scope, importId, { status: 'queued', problem: null })
        return true
      }
      await acknowledge(importing, scope, row, chunk, await storeTripChunk(facts, scope, regionId, importId, chunk))
    }
    await noteHours()
    await end(importing, scope, importId, { status: 'done', problem: null })
    // The file may hold what is personal: once its trips are stored it is not kept.
    await fs.rm(row.file_path, { force: true })
  } catch (error) {
    await noteHours().catch((problem: unknown) => log('hours of an import', { importId, error: String(problem) }))
    const kept = `${Number(row.rows_read)} rows before that are stored; try again to go on from there.`
    if (error instanceof ReadingProblem || error instanceof TripFileError) await end(importing, scope, importId, { status: 'failed', problem: `${error.message} ${kept}` })
    else if (stop.aborted) await end(importing, scope, importId, { status: 'queued', problem: null }).catch(() => undefined)
    else {
      log('import failed', { importId, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      await end(importing, scope, importId, { status: 'failed', problem: `The server could not store more rows. ${kept}` })
    }
  } finally {
    clearInterval(beat)
  }
  return true
}
