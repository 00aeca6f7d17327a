import { CurbSettings } from '#contract/curb-settings.ts'
import type { Store } from '#server/stores/state.ts'

/** Settings of a region's curb, and the version of its curb data. */
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
 * Increments the version of a region's curb data within the transaction that changes it, and locks it until the transaction ends, so
 * that changes of a region follow each other.
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
