import * as contract from '#contract/mds-policy-feed.ts'
import { listExternalGeographies, listExternalPolicies } from '#contract/external.ts'
import {
  getPublicPolicies,
  getPublicShape,
  listPublicShapes,
  type PublicShape,
} from '#contract/public-policies.ts'
import { Problem } from '#server/http/problem.ts'
import { type Call, type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { type FeedContext, RegionFeeds } from './region-feeds.ts'
import { toPrivateResponse, sendFeed, sendPublic } from './send-feed.ts'

/** Returns a page of the shapes with names that contain `text`. */
function searchShapes(
  shapes: readonly PublicShape[],
  { text, page, size }: Call<typeof listPublicShapes>['query'],
) {
  const matching = text
    ? shapes.filter(({ shape_name: name }) => name.toLowerCase().includes(text.toLowerCase()))
    : shapes
  return { items: matching.slice((page - 1) * size, page * size), total: matching.length, page, size }
}

/** Routes of MDS Policy, Requirements and Geography: public feeds, which need no sign-in, and feeds for API keys. */
export function feedRoutes(context: FeedContext): Route[] {
  const { state } = context
  const feeds = new RegionFeeds(context)
  // The endpoints of one feed have the same parameters; only their paths differ.
  const makePoliciesRoute = (
    endpoint: typeof contract.listMdsPolicies | typeof contract.listMdsPoliciesFile,
  ): Route =>
    route(endpoint as typeof contract.listMdsPolicies, ({ params, query, headers, at }) =>
      sendFeed(headers, (version) => feeds.getPolicies(version, params.region_id, query, at)),
    )
  const makeGeographiesRoute = (
    endpoint: typeof contract.listMdsGeographies | typeof contract.listMdsGeographiesFile,
  ): Route =>
    route(endpoint as typeof contract.listMdsGeographies, ({ params, headers }) =>
      sendFeed(headers, (version) => feeds.getGeographies(version, params.region_id)),
    )
  return [
    route(getPublicPolicies, async ({ params, headers, at }) =>
      sendPublic(headers, await feeds.getPublicPoliciesBody(params.region_id, at)),
    ),
    route(listPublicShapes, async ({ params, query, at }) =>
      searchShapes(await feeds.listPublicShapes(params.region_id, at), query),
    ),
    route(getPublicShape, async ({ params, at }) => {
      const shape = (await feeds.listPublicShapes(params.region_id, at)).find(
        ({ shape_uuid: id }) => id === params.shape_uuid,
      )
      if (!shape) throw new Problem('not_found', 'No such shape is published here.')
      return shape
    }),
    makePoliciesRoute(contract.listMdsPolicies),
    makePoliciesRoute(contract.listMdsPoliciesFile),
    route(contract.getMdsPolicy, ({ params, headers }) =>
      sendFeed(headers, (version) => feeds.getPolicy(version, params.region_id, params.policy_id)),
    ),
    route(contract.getMdsRequirements, ({ params, headers }) =>
      sendFeed(headers, () => feeds.getRequirements(params.region_id), ['2.0']),
    ),
    makeGeographiesRoute(contract.listMdsGeographies),
    route(listExternalPolicies, async ({ viewer, params, query, headers, at }) => {
      const { regionId } = await findRegion(state, viewer.scope, params.region_id)
      return toPrivateResponse(
        await sendFeed(headers, (version) => feeds.getPolicies(version, regionId, query, at)),
      )
    }),
    route(listExternalGeographies, async ({ viewer, params, headers }) => {
      const { regionId } = await findRegion(state, viewer.scope, params.region_id)
      return toPrivateResponse(await sendFeed(headers, (version) => feeds.getGeographies(version, regionId)))
    }),
    makeGeographiesRoute(contract.listMdsGeographiesFile),
    route(contract.getMdsGeography, ({ params, headers }) =>
      sendFeed(headers, (version) => feeds.getGeography(version, params.region_id, params.geography_id)),
    ),
  ]
}
