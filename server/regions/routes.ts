import { changeOrganization, getOrganization, listOrganizations } from '#contract/organizations.ts'
import { changeRegion, createRegion, getPublicRegion, getRegion, listRegions, PublicRegion } from '#contract/regions.ts'
import { type Route, route } from '#server/http/route.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { State } from '#server/stores/state.ts'
import { changeOrganization as changeOf } from './change-organization.ts'
import { findOrganization, listOrganizations as organizationsOf, withOrganization, withOrganizations } from './find-organization.ts'
import { findRegion } from './find-region.ts'
import { listRegions as regionsOf } from './list-regions.ts'
import { changeRegion as change, createRegion as create } from './save-region.ts'

export const regionRoutes = (state: State): Route[] => [
  route(listRegions, async ({ viewer, query }) => {
    const { items, ...page } = await regionsOf(state, viewer.scope, query)
    return { ...page, items: await withOrganizations(state, viewer.scope, items) }
  }),
  route(getRegion, async ({ viewer: { scope }, params }) => withOrganization(state, scope, await findRegion(state, scope, params.region_id))),
  // Its answer keeps what everybody may know of it.
  route(getPublicRegion, async ({ params }) => PublicRegion.parse(await findRegion(state, systemScope, params.region_id))),
  route(createRegion, async ({ viewer, body }) => withOrganization(state, viewer.scope, await create(state, viewer.organizationId, body))),
  route(changeRegion, async ({ viewer: { scope }, params, body }) => withOrganization(state, scope, await change(state, scope, params.region_id, body))),
  route(listOrganizations, async ({ viewer }) => ({ items: await organizationsOf(state, viewer.scope) })),
  route(changeOrganization, ({ viewer, params, body }) => changeOf(state, viewer.scope, params.organization_id, body)),
  route(getOrganization, ({ viewer, params }) => findOrganization(state, viewer.scope, params.organization_id)),
]
