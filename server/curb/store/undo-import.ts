import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import { lockCurb } from './curb-settings.ts'
import { mirrorLayer } from './mirror-layer.ts'
import { type ImportKey, lockImport } from './publish-import.ts'
import { getContentColumns } from './zone-rows.ts'

/**
 * Undoes a published import: deletes what it created, continues what it ended, and restores what it changed.
 * @throws Problem `conflict` if it is not the newest published import of its inventory, or its zones were
 * edited since.
 */
export async function undoImport(
  state: State,
  { scope, email }: Pick<Viewer, 'scope' | 'email'>,
  { regionId, importId, at }: ImportKey & { at: Date },
): Promise<void> {
  await findRegion(state, scope, regionId)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      await lockCurb(store, regionId)
      const row = await lockImport(store, { regionId, importId })
      if (row.status !== 'published')
        throw new Problem('conflict', `This import is ${row.status}; only a published one can be undone.`)
      await requireNewest(store, row.inventory_id, importId)
      await requireNoLaterEdits(store, regionId, row)
      await deleteCreated(store, { regionId, importId })
      await continueEnded(store, { regionId, importId })
      await restoreChanged(store, { regionId, importId })
      await store
        .updateTable('curb_import')
        .set({ status: 'undone', undone_by: email, undone_time: at })
        .where('import_id', '=', importId)
        .execute()
      await mirrorLayer(store, scope, regionId, at)
    })
}

/** Requires that no later import of the inventory is published. @throws Problem `conflict`. */
async function requireNewest(store: Store, inventoryId: string, importId: string): Promise<void> {
  const newest = await store
    .selectFrom('curb_import')
    .select('import_id')
    .where('inventory_id', '=', inventoryId)
    .where('status', '=', 'published')
    .orderBy('published_time', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest?.import_id !== importId)
    throw new Problem(
      'conflict',
      'A later import of this inventory is published. Undo that one first: imports are undone in reverse order.',
    )
}

/** Requires that no zone was edited since: replaced ones would remain. @throws Problem `conflict`. */
async function requireNoLaterEdits(
  store: Store,
  regionId: string,
  {
    inventory_id: inventoryId,
    published_time: published,
  }: { inventory_id: string; published_time: Date | null },
): Promise<void> {
  const laterEdit = await store
    .selectFrom('curb_change_set')
    .select('change_set_id')
    .where('region_id', '=', regionId)
    .where('change_time', '>=', published ?? new Date(0))
    .where('inventory_ids', '@>', JSON.stringify([inventoryId]))
    .limit(1)
    .executeTakeFirst()
  if (laterEdit)
    throw new Problem(
      'conflict',
      'Zones of this source were edited by hand after this import was published, so that it cannot be undone. Import a file again instead.',
    )
}

/** Deletes what the import created. Policies that other zones use by now remain. */
async function deleteCreated(store: Store, { regionId, importId }: ImportKey): Promise<void> {
  const createdZones = store
    .selectFrom('curb_zone')
    .select('curb_zone_id')
    .where('region_id', '=', regionId)
    .where('import_id', '=', importId)
  // Includes links and capacities that were added to its zones later.
  for (const table of ['curb_zone_policy', 'curb_capacity'] as const)
    await store
      .deleteFrom(table)
      .where('region_id', '=', regionId)
      .where((eb) => eb.or([eb('import_id', '=', importId), eb('curb_zone_id', 'in', createdZones)]))
      .execute()
  for (const table of ['curb_zone', 'curb_place'] as const)
    await store
      .deleteFrom(table)
      .where('region_id', '=', regionId)
      .where('import_id', '=', importId)
      .execute()
  await store
    .deleteFrom('curb_policy')
    .where('region_id', '=', regionId)
    .where('import_id', '=', importId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('curb_zone_policy')
            .select('curb_zone_policy.curb_zone_id')
            .where('curb_zone_policy.region_id', '=', regionId)
            .whereRef('curb_zone_policy.curb_policy_id', '=', 'curb_policy.curb_policy_id'),
        ),
      ),
    )
    .execute()
}

/** Continues what the import ended, until its previous end. */
async function continueEnded(store: Store, { regionId, importId }: ImportKey): Promise<void> {
  for (const table of ['curb_zone', 'curb_zone_policy', 'curb_place'] as const)
    await store
      .updateTable(table)
      .set((eb) => ({ end_time: eb.ref('previous_end'), previous_end: null, ended_by: null }))
      .where('region_id', '=', regionId)
      .where('ended_by', '=', importId)
      .execute()
}

/** A zone before the import changed it (`curb_import_row.prior`). */
interface PriorZone {
  id: string
  record: Record<string, unknown>
  geometry: Geometry
}

/** Restores the zones that the import changed. */
async function restoreChanged(store: Store, { regionId, importId }: ImportKey): Promise<void> {
  const rows = await store
    .selectFrom('curb_import_row')
    .select('prior')
    .where('import_id', '=', importId)
    .where('prior', 'is not', null)
    .execute()
  for (const { prior } of rows) {
    const { id, record, geometry } = prior as PriorZone
    await store
      .updateTable('curb_zone')
      .set(getContentColumns(geometry, record))
      .where('region_id', '=', regionId)
      .where('curb_zone_id', '=', id)
      .execute()
  }
}
