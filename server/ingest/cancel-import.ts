import { setTimeout as wait } from 'node:timers/promises'
import { collectImportedHours } from '#server/mobility/cubes/mark-derived-hours.ts'
import { countFactsVersion } from '#server/regions/facts-version.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { fileKindOf } from './files/file-kinds.ts'
import type { ReadAhead } from './read-ahead.ts'
import { type ImportRow, findImportRow } from './read-import.ts'
import { removeTripFile } from './stations/station-places.ts'
import { removeChunks } from './store-trip-chunk.ts'

export interface Canceling {
  state: State
  facts: Facts
  /** Closes the reader of a file that is read ahead. */
  ahead: Pick<ReadAhead, 'drop'>
  now: () => Date
}

export interface TakenBack {
  deleted_trips: number
  deleted_rows: number
}

/** Removes what an import brought, its set-aside rows, its file and last its record, so that a removal that was cut off is repeated. */
export async function takeBackImport(
  { state, facts: store, now }: Canceling,
  scope: Scope,
  row: ImportRow,
): Promise<TakenBack> {
  const { import_id: importId, region_id: regionId } = row
  const [found] = await store.rows<{ n: string }>(
    scope,
    sql`select count() as n from ${facts('trips')} where import_id = ${bind('UUID', importId)}`,
  )
  const { timezone } = await findRegion(state, scope, regionId)
  const noteHours = await collectImportedHours(
    { state, facts: store, now: () => now().getTime() },
    scope,
    regionId,
    timezone,
    importId,
  )
  // Noted before as well: a removal that is cut off and repeated finds no trips, and so no hours, any more.
  await noteHours()
  const removed = await fileKindOf(row.kind)?.takeBack({ state, facts: store, scope, regionId, importId })
  await removeChunks(store, scope, importId, 0)
  await noteHours()
  await removeTripFile(row.file_path)
  await state.as(scope).deleteFrom('import').where('import_id', '=', importId).execute()
  await countFactsVersion(state, scope, regionId)
  const trips = Number(found?.n ?? 0)
  return { deleted_trips: trips, deleted_rows: removed ?? trips }
}

const lookMs = 50

/** So long a removal has the import for itself; then the import job repeats it. */
const removalMs = 120_000

/**
 * Cancels an import, whatever it is doing: a run that is under way in any process sees the status and stops within a second.
 * Then takes back what it brought. A removal that was cut off is finished by the import job.
 */
export async function cancelImport(
  canceling: Canceling,
  scope: Scope,
  regionId: string,
  importId: string,
): Promise<TakenBack> {
  const { state, now, ahead } = canceling
  const one = () => state.as(scope).updateTable('import').where('import_id', '=', importId)
  await findImportRow(state, scope, regionId, importId)
  await one().set({ status: 'canceling' }).execute()
  await ahead.drop(importId)
  for (;;) {
    const row = await one()
      .set({ lease_owner: null, lease_until: new Date(now().getTime() + removalMs) })
      .where((is) => is.or([is('lease_owner', 'is', null), is('lease_until', '<', now())]))
      .returningAll()
      .executeTakeFirst()
    if (row) break
    await findImportRow(state, scope, regionId, importId)
    await wait(lookMs)
  }
  try {
    return await takeBackImport(canceling, scope, await findImportRow(state, scope, regionId, importId))
  } catch (error) {
    await one().set({ lease_until: null }).execute()
    throw error
  }
}
