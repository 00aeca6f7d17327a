import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import { lockCurb, readCurbSettings } from './curb-settings.ts'
import { mirrorLayer } from './mirror-layer.ts'
import { type PublishCounts, publishStagedZones } from './publication.ts'
import { type KindCounts, readStagedRows } from './read-staged.ts'
import type { StagedPlace } from './staged.ts'
import { inBatches } from './zone-rows.ts'

export interface ImportKey {
  regionId: string
  importId: string
}

/**
 * Publishes a staged import as one change at `effective`. Zones with the same geometry retain their id, zones
 * with another geometry are retired and replaced, and zones of the inventory that are not in the import end.
 * Identical policies share one id.
 * @throws Problem `conflict` if the import is not staged, or `effective` is not after the last change of the
 * inventory.
 */
export async function publishImport(
  state: State,
  { scope, email }: Pick<Viewer, 'scope' | 'email'>,
  { regionId, importId, effective, at }: ImportKey & { effective: Date; at: Date },
): Promise<PublishCounts> {
  await findRegion(state, scope, regionId)
  const { settings } = await readCurbSettings(state.as(scope), regionId)
  return state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      await lockCurb(store, regionId)
      const row = await lockImport(store, { regionId, importId })
      if (row.status !== 'staged')
        throw new Problem('conflict', `This import is ${row.status}; only a staged one can be published.`)
      const { kinds } = row.counts as { kinds?: KindCounts }
      const options = { regionId, importId, kinds, inventoryId: row.inventory_id, email, effective, at }
      await requireLater(store, options)
      const counts = await publishStagedZones(store, {
        ...options,
        vehicleLengthCm: settings.assumedVehicleLength,
      })
      await publishPlaces(store, options)
      await store
        .updateTable('curb_import')
        .set({
          status: 'published',
          published_by: email,
          published_time: at,
          effective_time: effective,
          counts: JSON.stringify({ ...(row.counts as object), published: counts }),
        })
        .where('import_id', '=', importId)
        .execute()
      await mirrorLayer(store, scope, regionId, at)
      return counts
    })
}

/**
 * Requires that `effective` is after imports and edits of the inventory took effect, because their zones would
 * end before they began. @throws Problem `conflict`.
 */
async function requireLater(
  store: Store,
  { regionId, inventoryId, effective }: { regionId: string; inventoryId: string; effective: Date },
): Promise<void> {
  const refuse = (message: string): never => {
    throw new Problem('conflict', message, [{ path: 'body.effective_time', message }])
  }
  const laterImport = await store
    .selectFrom('curb_import')
    .select(['file_name', 'effective_time'])
    .where('region_id', '=', regionId)
    .where('inventory_id', '=', inventoryId)
    .where('status', '=', 'published')
    .where('effective_time', '>=', effective)
    .limit(1)
    .executeTakeFirst()
  if (laterImport)
    refuse(
      `The import ${laterImport.file_name} is in force from ${laterImport.effective_time?.toISOString()}. Choose a later time, or undo that import first.`,
    )
  const edit = await store
    .selectFrom('curb_change_set')
    .select('change_time')
    .where('region_id', '=', regionId)
    .where('change_time', '>=', effective)
    .where('inventory_ids', '@>', JSON.stringify([inventoryId]))
    .limit(1)
    .executeTakeFirst()
  if (edit)
    refuse(
      `Zones of this source were edited by hand at ${edit.change_time.toISOString()}. Choose a later time.`,
    )
}

/** Replaces all areas, spaces and objects of the inventory. CDS defines no history for them. */
async function publishPlaces(
  store: Store,
  {
    regionId,
    importId,
    kinds,
    inventoryId,
    effective,
    at,
  }: ImportKey & { kinds: KindCounts; inventoryId: string; effective: Date; at: Date },
): Promise<void> {
  await store
    .updateTable('curb_place')
    .set((eb) => ({ previous_end: eb.ref('end_time'), end_time: effective, ended_by: importId }))
    .where('region_id', '=', regionId)
    .where('inventory_id', '=', inventoryId)
    .where('end_time', 'is', null)
    .execute()
  const toPlaceRow = (staged: StagedPlace) => {
    const { geometry, published_date: published, last_updated_date: updated, ...record } = staged.place
    return {
      region_id: regionId,
      kind: staged.kind,
      place_id: getPlaceId(staged),
      curb_zone_id: staged.kind === 'area' ? null : (staged.place.curb_zone_id ?? null),
      inventory_id: inventoryId,
      geometry: JSON.stringify(geometry),
      record: JSON.stringify(record),
      start_time: effective,
      published_time: published === undefined ? at : new Date(published),
      updated_time: updated === undefined ? at : new Date(updated),
      import_id: importId,
    }
  }
  for (const kind of ['area', 'space', 'object'] as const)
    for await (const rows of readStagedRows(store, { importId, kinds }, kind))
      await inBatches(rows, (batch) =>
        store
          .insertInto('curb_place')
          .values(batch.map(({ staged }) => toPlaceRow(staged as StagedPlace)))
          .execute(),
      )
}

function getPlaceId(staged: StagedPlace): string {
  if (staged.kind === 'area') return staged.place.curb_area_id
  return staged.kind === 'space' ? staged.place.curb_space_id : staged.place.curb_object_id
}

/** Locks an import until the transaction ends. @throws Problem `not_found`. */
export async function lockImport(store: Store, { regionId, importId }: ImportKey) {
  const row = await store
    .selectFrom('curb_import')
    .select(['inventory_id', 'status', 'counts', 'published_time'])
    .where('region_id', '=', regionId)
    .where('import_id', '=', importId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such import in this region.')
  return row
}
