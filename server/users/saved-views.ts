import type * as contract from '#contract/saved-views.ts'
import { maxSavedViews, type SavedView } from '#contract/saved-views.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State } from '#server/stores/state.ts'

const isAdministrator = ({ permissions }: Viewer): boolean => permissions.includes('is_admin')

/** Selects the user's own views of a region and the shared ones. Operator accounts see only their own. */
const selectVisibleViews = (state: State, viewer: Viewer, regionId: string) =>
  state
    .as(viewer.scope)
    .selectFrom('saved_view')
    .selectAll()
    .where('region_id', '=', regionId)
    .where((is) =>
      viewer.scope.operators
        ? is('user_id', '=', viewer.userId)
        : is.or([is('user_id', '=', viewer.userId), is('is_shared', '=', true)]),
    )

/** Lists the views of a region that the user can see, by name. */
export async function listSavedViews(state: State, viewer: Viewer, regionId: string): Promise<SavedView[]> {
  await findRegion(state, viewer.scope, regionId)
  const rows = await selectVisibleViews(state, viewer, regionId)
    .orderBy('name')
    .orderBy('created_time')
    .execute()
  return rows.map((row) => readView(viewer, row))
}

/** Saves a page with its filters as a view. @throws Problem `conflict` if the user has too many views. */
export async function saveView(
  state: State,
  { viewer, params: { region_id: regionId }, body: view, at }: Call<typeof contract.saveView>,
): Promise<SavedView> {
  await findRegion(state, viewer.scope, regionId)
  if (view.is_shared && viewer.scope.operators)
    throw new Problem('forbidden', 'Operator accounts cannot share views.')
  const store = state.as(viewer.scope)
  const { total } = await store
    .selectFrom('saved_view')
    .select((eb) => eb.fn.countAll<string>().as('total'))
    .where('region_id', '=', regionId)
    .where('user_id', '=', viewer.userId)
    .executeTakeFirstOrThrow()
  if (Number(total) >= maxSavedViews)
    throw new Problem('conflict', `You have ${maxSavedViews} saved views. Delete some of them first.`)
  const row = await store
    .insertInto('saved_view')
    .values({
      ...view,
      region_id: regionId,
      user_id: viewer.userId,
      created_by: viewer.email,
      created_time: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return readView(viewer, row)
}

/** Deletes a view of the user. Administrators can also delete shared ones. */
export async function deleteSavedView(
  state: State,
  viewer: Viewer,
  regionId: string,
  viewId: string,
): Promise<{ deleted: boolean }> {
  const row = await selectVisibleViews(state, viewer, regionId)
    .where('view_id', '=', viewId)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such saved view.'))
  if (!readView(viewer, row).can_delete)
    throw new Problem('forbidden', 'Only its owner or an administrator can delete a shared view.')
  await state.as(viewer.scope).deleteFrom('saved_view').where('view_id', '=', viewId).execute()
  return { deleted: true }
}

const readView = (
  viewer: Viewer,
  row: Omit<SavedView, 'created_time' | 'can_delete'> & { user_id: string; created_time: Date },
): SavedView => ({
  view_id: row.view_id,
  name: row.name,
  path: row.path,
  search: row.search,
  is_shared: row.is_shared,
  created_by: row.created_by,
  created_time: row.created_time.toISOString(),
  can_delete: row.user_id === viewer.userId || isAdministrator(viewer),
})
