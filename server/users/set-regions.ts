import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State, Store } from '#server/stores/state.ts'

/** Throws the Problem `validation_error` if the viewer cannot grant one of the regions. */
export async function checkRegions(
  state: State,
  viewer: Viewer,
  regionIds: readonly string[],
): Promise<void> {
  const rows = await state.as(viewer.scope).selectFrom('region').select('region_id').execute()
  const unknownId = regionIds.find((id) => !rows.some(({ region_id }) => region_id === id))
  if (unknownId !== undefined)
    throw new Problem('validation_error', `region_ids: You cannot grant access to region '${unknownId}'.`)
}

/** Limits a user to regions; null: all regions of the organization. */
export async function setRegions(
  store: Store,
  organizationId: string,
  userId: string,
  regionIds: readonly string[] | null,
): Promise<void> {
  await store
    .updateTable('user')
    .set({ allRegions: regionIds === null })
    .where('id', '=', userId)
    .execute()
  await store.deleteFrom('user_region').where('user_id', '=', userId).execute()
  const rows = [...new Set(regionIds ?? [])].map((region_id) => ({
    user_id: userId,
    region_id,
    organization_id: organizationId,
  }))
  if (rows.length) await store.insertInto('user_region').values(rows).execute()
}
