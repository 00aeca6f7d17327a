import type { Store } from '#server/stores/state.ts'

/** A legal hold, set and released by users with these email addresses. */
export interface HoldRow {
  reason: string
  set_by: string
  set_time: Date
  released_by: string | null
  released_time: Date | null
}

const selectHolds = (store: Store, regionId: string) =>
  store
    .selectFrom('retention_hold')
    .select(['reason', 'set_by', 'set_time', 'released_by', 'released_time'])
    .where('region_id', '=', regionId)

/** Finds the active legal hold of a region; undefined without one. */
export const findHold = (store: Store, regionId: string): Promise<HoldRow | undefined> =>
  selectHolds(store, regionId).where('released_time', 'is', null).executeTakeFirst()

/** Finds the released legal holds of a region, newest first. */
export const findPastHolds = (store: Store, regionId: string): Promise<HoldRow[]> =>
  selectHolds(store, regionId)
    .where('released_time', 'is not', null)
    .orderBy('set_time', 'desc')
    .limit(100)
    .execute()

/** Sets a legal hold. Returns false if there is one already. */
export async function setHold(
  store: Store,
  regionId: string,
  { reason, userEmail, at }: { reason: string; userEmail: string; at: Date },
): Promise<boolean> {
  const result = await store
    .insertInto('retention_hold')
    .values({ region_id: regionId, reason, set_by: userEmail, set_time: at })
    .onConflict((conflict) => conflict.column('region_id').where('released_time', 'is', null).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/** Releases the active legal hold. Returns false if there is none. */
export async function releaseHold(
  store: Store,
  regionId: string,
  { userEmail, at }: { userEmail: string; at: Date },
): Promise<boolean> {
  const result = await store
    .updateTable('retention_hold')
    .set({ released_by: userEmail, released_time: at })
    .where('region_id', '=', regionId)
    .where('released_time', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}
