import { setTimeout as wait } from 'node:timers/promises'
import { collectImportedHours } from '#server/fleet/cubes/mark-derived-hours.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { findFileKind } from './files/file-kinds.ts'
import type { ReadAhead } from './trips/read-ahead.ts'
import { type ImportRow, findImportRow } from './read-import.ts'
import { removeTripFile } from './trip-uploads.ts'
import { removeChunks } from './trips/store-trip-chunk.ts'

/** Dependencies of the removal of imports. */
export interface RemovalServices {
  state: State
  facts: Facts
  blobs: BlobStore
  /** Closes the reader that reads the file of an import ahead. */
  ahead: Pick<ReadAhead, 'drop'>
  now: () => Date
}

/** What a removal deleted: trips, and rows of any kind of file; for trip files both are the trips. */
export interface RemovedImport {
  deleted_trips: number
  deleted_rows: number
}

/**
 * Removes the data of an import, its rejected rows, its file and, last, its record. While the record exists,
 * the import job repeats an interrupted removal.
 */
export async function removeImport(
  { state, facts, blobs, now }: RemovalServices,
  scope: Scope,
  row: ImportRow,
): Promise<RemovedImport> {
  const { import_id: importId, region_id: regionId } = row
  const [tripCount] = await facts.rows<{ row_count: string }>(
    scope,
    sql`select count() as row_count from ${factTable('trips')} where import_id = ${bind('UUID', importId)}`,
  )
  const { timezone } = await findRegion(state, scope, regionId)
  const markHours = await collectImportedHours(
    { state, facts, nowMs: () => now().getTime() },
    scope,
    { regionId, timezone },
    importId,
  )
  // Marked before the removal as well, because a repeated removal finds no trips and therefore no hours.
  await markHours()
  const removedRows = await findFileKind(row.kind)?.remove({ state, facts, scope, regionId, importId })
  await removeChunks(facts, scope, importId, 0)
  await markHours()
  await removeTripFile(blobs, row.file_path)
  await state.as(scope).deleteFrom('import').where('import_id', '=', importId).execute()
  await increaseFactsVersion(state, scope, regionId)
  const trips = Number(tripCount?.row_count ?? 0)
  return { deleted_trips: trips, deleted_rows: removedRows ?? trips }
}

const leasePollMs = 50
/** The duration of the lease for a removal. If it has expired, the import job repeats the removal. */
const removalLeaseMs = 120_000

/**
 * Waits until the run of an import has released its lease, or the lease has expired. Then takes a lease
 * without an owner, so that no import of the region starts during the removal.
 */
async function takeRemovalLease(
  { state, now }: RemovalServices,
  scope: Scope,
  regionId: string,
  importId: string,
): Promise<ImportRow> {
  for (;;) {
    const row = await state
      .as(scope)
      .updateTable('import')
      .set({ lease_owner: null, lease_until: new Date(now().getTime() + removalLeaseMs) })
      .where('import_id', '=', importId)
      .where((where) => where.or([where('lease_owner', 'is', null), where('lease_until', '<', now())]))
      .returningAll()
      .executeTakeFirst()
    if (row) return row
    // Throws if the import was removed by another call.
    await findImportRow(state.as(scope), regionId, importId)
    await wait(leasePollMs)
  }
}

/**
 * Cancels an import in any state and removes its data. A running import, in any process, notices the status
 * and stops within a second. If the removal is interrupted, the import job completes it.
 */
export async function cancelImport(
  services: RemovalServices,
  scope: Scope,
  regionId: string,
  importId: string,
): Promise<RemovedImport> {
  const { state, ahead } = services
  const updateImport = () => state.as(scope).updateTable('import').where('import_id', '=', importId)
  await findImportRow(state.as(scope), regionId, importId)
  await updateImport().set({ status: 'canceling' }).execute()
  await ahead.drop(importId)
  const row = await takeRemovalLease(services, scope, regionId, importId)
  try {
    return await removeImport(services, scope, row)
  } catch (error) {
    // Lets the import job repeat the removal at once.
    await updateImport().set({ lease_until: null }).execute()
    throw error
  }
}
