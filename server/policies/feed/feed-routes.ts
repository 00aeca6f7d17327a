import * as contract from '#contract/mds-policy-feed.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { listExternalGeographies, listExternalPolicies } from '#contract/external.ts'
import {
  getPublicPolicies,
  getPublicShape,
  listPublicShapes,
  type PublicShape,
} from '#contract/public-policies.ts'
import { Problem } from '#server/http/problem.ts'
import { type RawResponse, type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { findOpenRegion, type OpenRegion } from '#server/regions/public-region.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import type { State } from '#server/stores/state.ts'
import { parsePolicyQuery, matchesFilter, type PolicyQuery } from './policy-query.ts'
import type { FeedVersion } from './negotiate-version.ts'
import { earlierGeographies, earlierPolicies } from './downgrade-mds.ts'
import { findRequirements } from '../requirements/find-requirements.ts'
import { publicPoliciesOf, publicShapesOf, shownRevisions } from './public-policies.ts'
import { geographiesBody, policiesBody, type PublicFeed, readFeed } from './read-feed.ts'
import { requirementsOf } from './mds-requirements.ts'
import { type FeedBody, feedBody, feedError, privately, sendFeed, sendPublic } from './send-feed.ts'

interface FeedContext {
  state: State
  now: () => number
  publicUrl: string
}

interface RegionFeed extends OpenRegion {
  feed: PublicFeed
  /** All geographies, by requested version. */
  geographies: Map<FeedVersion, FeedBody>
  operators: readonly { slug: string; name: string; provider_id: string | null }[]
  /** As plain fields, with the revisions that they were built from. */
  plain: { made: string; body: FeedBody } | null
}

/** The feed of a region is cached until a policy changes; changes by another server appear after this time. */
const cacheMs = 5000

/** The public feeds MDS Policy, Requirements and Geography, without a sign-in. */
export function feedRoutes({ state, now, publicUrl }: FeedContext): Route[] {
  const regions = new InvalidatingCache<RegionFeed | null>({
    changes: state.changes,
    tables: ['policy', 'policy_geography', 'region', 'organization', 'operator', 'requirements'],
    ttlMs: cacheMs,
    maxEntries: 50,
    now,
  })
  const feedOf = (regionId: string): Promise<RegionFeed | null> =>
    regions.get(regionId, async () => {
      const found = await findOpenRegion(state, regionId)
      if (!found) return null
      const [feed, operators] = await Promise.all([
        readFeed(state, found.scope, regionId),
        state
          .as(found.scope)
          .selectFrom('operator')
          .select(['slug', 'name', 'provider_id'])
          .orderBy('provider_id')
          .execute(),
      ])
      return { ...found, feed, operators, geographies: new Map(), plain: null }
    })

  const policies = async (
    version: FeedVersion,
    regionId: string,
    query: PolicyQuery,
    at: Date,
  ): Promise<FeedBody | RawResponse | null> => {
    const found = await feedOf(regionId)
    if (!found) return null
    const filter = parsePolicyQuery(query, at)
    if (typeof filter === 'string') return feedError(400, 'bad_param', filter)
    const { lastUpdated, policies: all } = found.feed
    if (filter.onlyLastUpdated)
      return feedBody(
        version === '2.0'
          ? { version: '2.0.0', last_updated: lastUpdated }
          : { version: '1.2.0', updated: lastUpdated },
      )
    const bodies = all.filter((revision) => matchesFilter(revision, filter, at)).map(({ body }) => body)
    return feedBody(
      version === '2.0' ? policiesBody(lastUpdated, bodies) : earlierPolicies(bodies, lastUpdated),
    )
  }
  const onePolicy = async (
    version: FeedVersion,
    regionId: string,
    policyId: string,
  ): Promise<FeedBody | null> => {
    const found = await feedOf(regionId)
    const one = found?.feed.policies.find((each) => each.policyId === policyId)
    if (!found || !one) return null
    return feedBody(
      version === '2.0'
        ? policiesBody(found.feed.lastUpdated, [one.body])
        : earlierPolicies([one.body], found.feed.lastUpdated),
    )
  }
  const geographies = async (version: FeedVersion, regionId: string): Promise<FeedBody | null> => {
    const found = await feedOf(regionId)
    if (!found) return null
    const { lastUpdated, geographies: all } = found.feed
    const body =
      found.geographies.get(version) ??
      feedBody(version === '2.0' ? geographiesBody(lastUpdated, all) : earlierGeographies(all, lastUpdated))
    found.geographies.set(version, body)
    return body
  }
  const oneGeography = async (
    version: FeedVersion,
    regionId: string,
    id: string,
  ): Promise<FeedBody | null> => {
    const found = await feedOf(regionId)
    const one = found?.feed.geographies.find((each) => each.geography_id === id)
    if (!found || !one) return null
    return feedBody(
      version === '2.0'
        ? geographiesBody(found.feed.lastUpdated, [one])
        : earlierGeographies([one], found.feed.lastUpdated),
    )
  }
  const requirements = async (regionId: string): Promise<FeedBody | null> => {
    const found = await feedOf(regionId)
    if (!found) return null
    const { region, scope, created } = found
    const [organization, set] = await Promise.all([
      state
        .as(scope)
        .selectFrom('organization')
        .select('name')
        .where('organization_id', '=', region.organizationId)
        .executeTakeFirst(),
      findRequirements(state.as(scope), regionId),
    ])
    const operators = found.operators.flatMap(({ slug, provider_id: providerId }) =>
      providerId === null ? [] : [{ slug, providerId }],
    )
    return feedBody(
      requirementsOf({
        region,
        name: organization?.name ?? region.text,
        operators,
        requirements: set,
        created: Math.max(created.getTime(), Date.UTC(2018, 0, 1)),
        publicUrl: publicUrl.replace(/\/$/, ''),
      }),
    )
  }

  const publicPolicies = async (regionId: string, headers: Headers, at: Date): Promise<RawResponse> => {
    const found = await feedOf(regionId)
    if (!found) throw new Problem('not_found', 'No policies are published here.')
    // It also changes with time: when revisions begin or end.
    const made = shownRevisions(found.feed, at)
      .map(({ policyId }) => policyId)
      .join()
    if (found.plain?.made !== made)
      found.plain = {
        made,
        body: feedBody(
          publicPoliciesOf(
            found.region,
            found.feed,
            new Map(found.operators.map(({ slug, name }) => [slug, name])),
            at,
          ),
        ),
      }
    return sendPublic(headers, found.plain.body)
  }

  const publicShapes = async (regionId: string, at: Date): Promise<PublicShape[]> => {
    const found = await feedOf(regionId)
    if (!found) throw new Problem('not_found', 'No shapes are published here.')
    return publicShapesOf(found.feed, at)
  }

  const listPolicies = (
    endpoint: typeof contract.listMdsPolicies | typeof contract.listMdsPoliciesFile,
  ): Route =>
    route(endpoint as typeof contract.listMdsPolicies, ({ params, query, headers, at }) =>
      sendFeed(headers, (version) => policies(version, params.region_id, query, at)),
    )
  const listGeographies = (endpoint: Endpoint): Route =>
    route(endpoint as typeof contract.listMdsGeographies, ({ params, headers }) =>
      sendFeed(headers, (version) => geographies(version, params.region_id)),
    )
  return [
    route(getPublicPolicies, ({ params, headers, at }) => publicPolicies(params.region_id, headers, at)),
    route(listPublicShapes, async ({ params, query: { text, page, size }, at }) => {
      const shapes = await publicShapes(params.region_id, at)
      const found = text
        ? shapes.filter(({ shape_name: name }) => name.toLowerCase().includes(text.toLowerCase()))
        : shapes
      return { items: found.slice((page - 1) * size, page * size), total: found.length, page, size }
    }),
    route(getPublicShape, async ({ params, at }) => {
      const shape = (await publicShapes(params.region_id, at)).find(
        ({ shape_uuid: id }) => id === params.shape_uuid,
      )
      if (!shape) throw new Problem('not_found', 'No such shape is published here.')
      return shape
    }),
    listPolicies(contract.listMdsPolicies),
    listPolicies(contract.listMdsPoliciesFile),
    route(contract.getMdsPolicy, ({ params, headers }) =>
      sendFeed(headers, (version) => onePolicy(version, params.region_id, params.policy_id)),
    ),
    route(contract.getMdsRequirements, ({ params, headers }) =>
      sendFeed(headers, () => requirements(params.region_id), ['2.0']),
    ),
    listGeographies(contract.listMdsGeographies),
    route(listExternalPolicies, async ({ viewer, params, query, headers, at }) => {
      const { regionId } = await findRegion(state, viewer.scope, params.region_id)
      return privately(await sendFeed(headers, (version) => policies(version, regionId, query, at)))
    }),
    route(listExternalGeographies, async ({ viewer, params, headers }) => {
      const { regionId } = await findRegion(state, viewer.scope, params.region_id)
      return privately(await sendFeed(headers, (version) => geographies(version, regionId)))
    }),
    listGeographies(contract.listMdsGeographiesFile),
    route(contract.getMdsGeography, ({ params, headers }) =>
      sendFeed(headers, (version) => oneGeography(version, params.region_id, params.geography_id)),
    ),
  ]
}
