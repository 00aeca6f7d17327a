import { changeOrganization, getOrganization, listOrganizations } from '#contract/organizations.ts'
import {
  changeRegion,
  createRegion,
  getPublicRegion,
  getRegion,
  listPublicRegions,
  listRegions,
} from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import { type Route, route } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { changeOrganization as saveOrganization } from './change-organization.ts'
import {
  findOrganization,
  listOrganizations as findOrganizations,
  addOrganization,
  addOrganizations,
} from './find-organization.ts'
import { findRegion } from './read-region.ts'
import { listRegions as findRegions } from './list-regions.ts'
import { findOpenRegion, readPublicRegion } from './public-region.ts'
import { changeRegion as saveRegion, createRegion as insertRegion } from './save-region.ts'

export const regionRoutes = (state: State): Route[] => [
  route(listRegions, async ({ viewer, query }) => {
    const { items, ...page } = await findRegions(state.as(viewer.scope), query)
    return { ...page, items: await addOrganizations(state, viewer.scope, items) }
  }),
  route(getRegion, async ({ viewer: { scope }, params }) =>
    addOrganization(state, scope, await findRegion(state, scope, params.region_id)),
  ),
  route(getPublicRegion, async ({ params }) => {
    const region = await findOpenRegion(state, params.region_id)
    if (!region) throw new Problem('not_found', `There is no region '${params.region_id}'.`)
    return readPublicRegion(state, region)
  }),
  route(listPublicRegions, async ({ query }) => {
    const region = await findOpenRegion(state, query.region_id)
    return { items: region ? [await readPublicRegion(state, region)] : [] }
  }),
  route(createRegion, async ({ viewer, body }) =>
    addOrganization(state, viewer.scope, await insertRegion(state, viewer.organizationId, body)),
  ),
  route(changeRegion, async ({ viewer: { scope }, params, body }) =>
    addOrganization(state, scope, await saveRegion(state, scope, params.region_id, body)),
  ),
  route(listOrganizations, async ({ viewer }) => ({
    items: await findOrganizations(state.as(viewer.scope)),
  })),
  route(changeOrganization, ({ viewer, params, body }) =>
    saveOrganization(state.as(viewer.scope), params.organization_id, body),
  ),
  route(getOrganization, ({ viewer, params }) =>
    findOrganization(state.as(viewer.scope), params.organization_id),
  ),
]
