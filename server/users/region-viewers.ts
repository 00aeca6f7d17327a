import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { administer, isAdministeredBy } from './administer.ts'
import { checkRegions, setRegions } from './set-regions.ts'

interface ViewerRow {
  key: string
  enabled: boolean
  user_id?: string | undefined
}

/** Lists the users whom the viewer can see, each with whether the user may see a region (key `view`). */
export async function findRegionViewers(
  state: State,
  viewer: Viewer,
  regionId: string,
): Promise<{ key: string; enabled: boolean; user_id: string; user_email: string }[]> {
  await requireRegion(state, viewer, regionId)
  const store = state.as(viewer.scope)
  const users = await store
    .selectFrom('user')
    .select(['id', 'email', 'allRegions'])
    .where(isAdministeredBy(viewer))
    .orderBy('email')
    .execute()
  const userRegions = await store
    .selectFrom('user_region')
    .select('user_id')
    .where('region_id', '=', regionId)
    .execute()
  return users.map((user) => ({
    key: 'view',
    enabled: user.allRegions || userRegions.some(({ user_id }) => user_id === user.id),
    user_id: user.id,
    user_email: user.email,
  }))
}

/** Grants or revokes access of users to a region. A user of all regions who loses one retains the others. */
export async function setRegionViewers(
  state: State,
  viewer: Viewer,
  regionId: string,
  rows: readonly ViewerRow[],
): Promise<void> {
  await requireRegion(state, viewer, regionId)
  const { organizationId } = viewer
  const allRegionIds = (
    await state
      .as(systemScope)
      .selectFrom('region')
      .select('region_id')
      .where('organization_id', '=', organizationId)
      .execute()
  ).map(({ region_id }) => region_id)
  const userIds = [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]
  await administer(state, viewer, userIds, async (store) => {
    for (const { key, enabled, user_id } of rows) {
      if (key !== 'view')
        throw new Problem('validation_error', `permissions: A region has no permission '${key}'.`)
      const user = user_id
        ? await store
            .selectFrom('user')
            .select(['id', 'allRegions'])
            .where('id', '=', user_id)
            .executeTakeFirst()
        : undefined
      if (!user)
        throw new Problem(
          'validation_error',
          'permissions: Each row names a user of your organization in user_id.',
        )
      if (user.allRegions && enabled) continue
      const userRegions = await store
        .selectFrom('user_region')
        .select('region_id')
        .where('user_id', '=', user.id)
        .execute()
      const currentIds = user.allRegions ? allRegionIds : userRegions.map(({ region_id }) => region_id)
      await setRegions(
        store,
        organizationId,
        user.id,
        enabled ? [...currentIds, regionId] : currentIds.filter((id) => id !== regionId),
      )
    }
  })
}

/** Throws the Problem `not_found` unless the viewer sees a region. */
async function requireRegion(state: State, viewer: Viewer, regionId: string): Promise<void> {
  await checkRegions(state, viewer, [regionId]).catch(() => {
    throw new Problem('not_found', 'There is no such region.')
  })
}
