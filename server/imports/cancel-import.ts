import { setTimeout as wait } from 'node:timers/promises'
import { collectImportedHours } from '#server/fleet/cubes/mark-derived-hours.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { fileKindOf } from './files/file-kinds.ts'
import type { ReadAhead } from './trips/read-ahead.ts'
import { type ImportRow, findImportRow } from './read-import.ts'
import { removeTripFile } from './trip-uploads.ts'
import { removeChunks } from './trips/store-trip-chunk.ts'

export interface Canceling {
  state: State
  facts: Facts
  blobs: BlobStore
  /** Closes the reader of a file that is read ahead. */
  ahead: Pick<ReadAhead, 'drop'>
  now: () => Date
}

export interface RemovedImport {
  deleted_trips: number
  deleted_rows: number
}

/** Removes an import's data, its rejected rows, its file and last its record, so that an interrupted removal is repeated. */
export async function removeImport(
  { state, facts: store, blobs, now }: Canceling,
  scope: Scope,
  row: ImportRow,
): Promise<RemovedImport> {
  const { import_id: importId, region_id: regionId } = row
  const [found] = await store.rows<{ n: string }>(
    scope,
    sql`select count() as n from ${facts('trips')} where import_id = ${bind('UUID', importId)}`,
  )
  const { timezone } = await findRegion(state, scope, regionId)
  const markHours = await collectImportedHours(
    { state, facts: store, now: () => now().getTime() },
    scope,
    { regionId, timezone },
    importId,
  )
  // Marked before the removal too: a repeated one finds no trips, and so no hours.
  await markHours()
  const removed = await fileKindOf(row.kind)?.remove({ state, facts: store, scope, regionId, importId })
  await removeChunks(store, scope, importId, 0)
  await markHours()
  await removeTripFile(blobs, row.file_path)
  await state.as(scope).deleteFrom('import').where('import_id', '=', importId).execute()
  await increaseFactsVersion(state, scope, regionId)
  const trips = Number(found?.n ?? 0)
  return { deleted_trips: trips, deleted_rows: removed ?? trips }
}

const pollMs = 50

/** The lease of a removal; after it the import job repeats the removal. */
const removalLeaseMs = 120_000

/**
 * Cancels an import in any state: a running one, in any process, sees the status and stops within a second. Then removes
 * its data. An interrupted removal is finished by the import job.
 */
export async function cancelImport(
  canceling: Canceling,
  scope: Scope,
  regionId: string,
  importId: string,
): Promise<RemovedImport> {
  const { state, now, ahead } = canceling
  const one = () => state.as(scope).updateTable('import').where('import_id', '=', importId)
  await findImportRow(state.as(scope), regionId, importId)
  await one().set({ status: 'canceling' }).execute()
  await ahead.drop(importId)
  for (;;) {
    const row = await one()
      .set({ lease_owner: null, lease_until: new Date(now().getTime() + removalLeaseMs) })
      .where((is) => is.or([is('lease_owner', 'is', null), is('lease_until', '<', now())]))
      .returningAll()
      .executeTakeFirst()
    if (row) break
    await findImportRow(state.as(scope), regionId, importId)
    await wait(pollMs)
  }
  try {
    return await removeImport(canceling, scope, await findImportRow(state.as(scope), regionId, importId))
  } catch (error) {
    await one().set({ lease_until: null }).execute()
    throw error
  }
}
