import { CurbSettings } from '#contract/curb-settings.ts'
import type { Store } from '#server/stores/state.ts'

/** Reads the curb settings of a region, and the version of its curb data. */
export async function readCurbSettings(
  store: Store,
  regionId: string,
): Promise<{ settings: CurbSettings; version: number }> {
  const row = await store
    .selectFrom('curb_settings')
    .select(['settings', 'version'])
    .where('region_id', '=', regionId)
    .executeTakeFirst()
  return { settings: CurbSettings.parse(row?.settings ?? {}), version: Number(row?.version ?? 0) }
}

/**
 * Increments the version of a region's curb data. Must be called in the transaction that changes them, before
 * the change. The updated row is locked until the transaction ends, so that changes of a region are made one
 * after the other.
 */
export async function lockCurb(store: Store, regionId: string): Promise<void> {
  await store
    .insertInto('curb_settings')
    .values({ region_id: regionId, version: 1 })
    .onConflict((conflict) =>
      conflict.column('region_id').doUpdateSet((set) => ({ version: set('curb_settings.version', '+', 1) })),
    )
    .execute()
}
