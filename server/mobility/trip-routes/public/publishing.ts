import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Whether the public routes map of a region of the Scope is on. */
export async function findPublishing(
  state: State,
  scope: Scope,
  regionId: string,
): Promise<{ published: boolean }> {
  await findRegion(state, scope, regionId)
  const row = await state
    .as(scope)
    .selectFrom('region')
    .select('has_public_routes')
    .where('region_id', '=', regionId)
    .executeTakeFirstOrThrow()
  return { published: row.has_public_routes }
}

/** Switches the public routes map of a region of the Scope on or off. */
export async function setPublishing(
  state: State,
  scope: Scope,
  regionId: string,
  published: boolean,
): Promise<{ published: boolean }> {
  await findRegion(state, scope, regionId)
  await state
    .as(scope)
    .updateTable('region')
    .set({ has_public_routes: published })
    .where('region_id', '=', regionId)
    .execute()
  return { published }
}
