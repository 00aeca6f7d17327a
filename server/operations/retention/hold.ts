import type { Store } from '#server/stores/state.ts'

export interface HoldRow {
  reason: string
  set_by: string
  set_time: Date
  released_by: string | null
  released_time: Date | null
}

const holds = (store: Store, regionId: string) =>
  store
    .selectFrom('retention_hold')
    .select(['reason', 'set_by', 'set_time', 'released_by', 'released_time'])
    .where('region_id', '=', regionId)

/** The legal hold of a region that is not released. */
export const findHold = (store: Store, regionId: string): Promise<HoldRow | undefined> =>
  holds(store, regionId).where('released_time', 'is', null).executeTakeFirst()

/** Released ones, newest first. */
export const pastHolds = (store: Store, regionId: string): Promise<HoldRow[]> =>
  holds(store, regionId)
    .where('released_time', 'is not', null)
    .orderBy('set_time', 'desc')
    .limit(100)
    .execute()

/** Sets a hold. Returns false if there is one. */
export async function setHold(
  store: Store,
  regionId: string,
  { reason, by, at }: { reason: string; by: string; at: Date },
): Promise<boolean> {
  const done = await store
    .insertInto('retention_hold')
    .values({ region_id: regionId, reason, set_by: by, set_time: at })
    .onConflict((conflict) => conflict.column('region_id').where('released_time', 'is', null).doNothing())
    .executeTakeFirst()
  return Number(done.numInsertedOrUpdatedRows ?? 0) > 0
}

/** Releases the hold. Returns false if there is none. */
export async function releaseHold(
  store: Store,
  regionId: string,
  { by, at }: { by: string; at: Date },
): Promise<boolean> {
  const done = await store
    .updateTable('retention_hold')
    .set({ released_by: by, released_time: at })
    .where('region_id', '=', regionId)
    .where('released_time', 'is', null)
    .executeTakeFirst()
  return Number(done.numUpdatedRows) > 0
}
