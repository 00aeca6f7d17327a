import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

export interface HoldRow {
  reason: string
  set_by: string
  set_time: Date
  released_by: string | null
  released_time: Date | null
}

const holds = (state: Pick<State, 'as'>, scope: Scope, regionId: string) =>
  state
    .as(scope)
    .selectFrom('retention_hold')
    .select(['reason', 'set_by', 'set_time', 'released_by', 'released_time'])
    .where('region_id', '=', regionId)

/** The legal hold of a region that is not released. */
export const findHold = (
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
): Promise<HoldRow | undefined> =>
  holds(state, scope, regionId).where('released_time', 'is', null).executeTakeFirst()

/** Released ones, newest first. */
export const pastHolds = (state: Pick<State, 'as'>, scope: Scope, regionId: string): Promise<HoldRow[]> =>
  holds(state, scope, regionId)
    .where('released_time', 'is not', null)
    .orderBy('set_time', 'desc')
    .limit(100)
    .execute()

/** Sets a hold. Returns false if there is one. */
export async function setHold(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
  { reason, by, at }: { reason: string; by: string; at: Date },
): Promise<boolean> {
  const done = await state
    .as(scope)
    .insertInto('retention_hold')
    .values({ region_id: regionId, reason, set_by: by, set_time: at })
    .onConflict((conflict) => conflict.column('region_id').where('released_time', 'is', null).doNothing())
    .executeTakeFirst()
  return Number(done.numInsertedOrUpdatedRows ?? 0) > 0
}

/** Releases the hold. Returns false if there is none. */
export async function releaseHold(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
  { by, at }: { by: string; at: Date },
): Promise<boolean> {
  const done = await state
    .as(scope)
    .updateTable('retention_hold')
    .set({ released_by: by, released_time: at })
    .where('region_id', '=', regionId)
    .where('released_time', 'is', null)
    .executeTakeFirst()
  return Number(done.numUpdatedRows) > 0
}
