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
import { downgradeGeographies, downgradePolicies } from './downgrade-mds.ts'
import { findRequirements } from '../requirements/find-requirements.ts'
import { listPublicRevisions, toPublicPolicies, toPublicShapes } from './public-policies.ts'
import { geographiesBody, policiesBody, type PublicFeed, readFeed } from './read-feed.ts'
import { toMdsRequirements } from './mds-requirements.ts'
import { type FeedBody, feedBody, feedError, toPrivateResponse, sendFeed, sendPublic } from './send-feed.ts'

interface FeedContext {
  state: State
  now: () => number
  publicUrl: string
}

interface RegionFeed extends OpenRegion {
  feed: PublicFeed
  /** Bodies with all geographies, by requested version. */
  geographies: Map<FeedVersion, FeedBody>
  operators: readonly { slug: string; name: string; provider_id: string | null }[]
  /** The public policies as plain fields, with the ids of the revisions from which they were built. */
  plain: { revisionIds: string; body: FeedBody } | null
}

/**
 * The feed of a region is cached until a policy changes. Changes made by other servers appear after this
 * time.
 */
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
  const getFeed = (regionId: string): Promise<RegionFeed | null> =>
    regions.get(regionId, async () => {
      const openRegion = await findOpenRegion(state, regionId)
      if (!openRegion) return null
      const [feed, operators] = await Promise.all([
        readFeed(state, openRegion.scope, regionId),
        state
          .as(openRegion.scope)
          .selectFrom('operator')
          .select(['slug', 'name', 'provider_id'])
          .orderBy('provider_id')
          .execute(),
      ])
      return { ...openRegion, feed, operators, geographies: new Map(), plain: null }
    })

  const buildPolicies = async (
    version: FeedVersion,
    regionId: string,
    query: PolicyQuery,
    at: Date,
  ): Promise<FeedBody | RawResponse | null> => {
    const regionFeed = await getFeed(regionId)
    if (!regionFeed) return null
    const filter = parsePolicyQuery(query, at)
    if (typeof filter === 'string') return feedError(400, 'bad_param', filter)
    const { lastUpdated, policies: feedItems } = regionFeed.feed
    if (filter.onlyLastUpdated)
      return feedBody(
        version === '2.0'
          ? { version: '2.0.0', last_updated: lastUpdated }
          : { version: '1.2.0', updated: lastUpdated },
      )
    const bodies = feedItems.filter((revision) => matchesFilter(revision, filter, at)).map(({ body }) => body)
    return feedBody(
      version === '2.0' ? policiesBody(lastUpdated, bodies) : downgradePolicies(bodies, lastUpdated),
    )
  }
  const buildPolicy = async (
    version: FeedVersion,
    regionId: string,
    policyId: string,
  ): Promise<FeedBody | null> => {
    const regionFeed = await getFeed(regionId)
    const policy = regionFeed?.feed.policies.find((each) => each.policyId === policyId)
    if (!regionFeed || !policy) return null
    return feedBody(
      version === '2.0'
        ? policiesBody(regionFeed.feed.lastUpdated, [policy.body])
        : downgradePolicies([policy.body], regionFeed.feed.lastUpdated),
    )
  }
  const buildGeographies = async (version: FeedVersion, regionId: string): Promise<FeedBody | null> => {
    const regionFeed = await getFeed(regionId)
    if (!regionFeed) return null
    const { lastUpdated, geographies: feedItems } = regionFeed.feed
    const body =
      regionFeed.geographies.get(version) ??
      feedBody(
        version === '2.0'
          ? geographiesBody(lastUpdated, feedItems)
          : downgradeGeographies(feedItems, lastUpdated),
      )
    regionFeed.geographies.set(version, body)
    return body
  }
  const buildGeography = async (
    version: FeedVersion,
    regionId: string,
    id: string,
  ): Promise<FeedBody | null> => {
    const regionFeed = await getFeed(regionId)
    const geography = regionFeed?.feed.geographies.find((each) => each.geography_id === id)
    if (!regionFeed || !geography) return null
    return feedBody(
      version === '2.0'
        ? geographiesBody(regionFeed.feed.lastUpdated, [geography])
        : downgradeGeographies([geography], regionFeed.feed.lastUpdated),
    )
  }
  const buildRequirements = async (regionId: string): Promise<FeedBody | null> => {
    const regionFeed = await getFeed(regionId)
    if (!regionFeed) return null
    const { region, scope, created } = regionFeed
    const [organization, set] = await Promise.all([
      state
        .as(scope)
        .selectFrom('organization')
        .select('name')
        .where('organization_id', '=', region.organizationId)
        .executeTakeFirst(),
      findRequirements(state.as(scope), regionId),
    ])
    const operators = regionFeed.operators.flatMap(({ slug, provider_id: providerId }) =>
      providerId === null ? [] : [{ slug, providerId }],
    )
    return feedBody(
      toMdsRequirements({
        region,
        name: organization?.name ?? region.text,
        operators,
        requirements: set,
        created: Math.max(created.getTime(), Date.UTC(2018, 0, 1)),
        publicUrl: publicUrl.replace(/\/$/, ''),
      }),
    )
  }

  const sendPublicPolicies = async (regionId: string, headers: Headers, at: Date): Promise<RawResponse> => {
    const regionFeed = await getFeed(regionId)
    if (!regionFeed) throw new Problem('not_found', 'No policies are published here.')
    // The body also changes with time, when revisions begin or end.
    const revisionIds = listPublicRevisions(regionFeed.feed, at)
      .map(({ policyId }) => policyId)
      .join()
    if (regionFeed.plain?.revisionIds !== revisionIds)
      regionFeed.plain = {
        revisionIds,
        body: feedBody(
          toPublicPolicies(
            regionFeed.region,
            regionFeed.feed,
            new Map(regionFeed.operators.map(({ slug, name }) => [slug, name])),
            at,
          ),
        ),
      }
    return sendPublic(headers, regionFeed.plain.body)
  }

  const findPublicShapes = async (regionId: string, at: Date): Promise<PublicShape[]> => {
    const regionFeed = await getFeed(regionId)
    if (!regionFeed) throw new Problem('not_found', 'No shapes are published here.')
    return toPublicShapes(regionFeed.feed, at)
  }

  const listPolicies = (
    endpoint: typeof contract.listMdsPolicies | typeof contract.listMdsPoliciesFile,
  ): Route =>
    route(endpoint as typeof contract.listMdsPolicies, ({ params, query, headers, at }) =>
      sendFeed(headers, (version) => buildPolicies(version, params.region_id, query, at)),
    )
  const listGeographies = (endpoint: Endpoint): Route =>
    route(endpoint as typeof contract.listMdsGeographies, ({ params, headers }) =>
      sendFeed(headers, (version) => buildGeographies(version, params.region_id)),
    )
  return [
    route(getPublicPolicies, ({ params, headers, at }) => sendPublicPolicies(params.region_id, headers, at)),
    route(listPublicShapes, async ({ params, query: { text, page, size }, at }) => {
      const shapes = await findPublicShapes(params.region_id, at)
      const matching = text
        ? shapes.filter(({ shape_name: name }) => name.toLowerCase().includes(text.toLowerCase()))
        : shapes
      return { items: matching.slice((page - 1) * size, page * size), total: matching.length, page, size }
    }),
    route(getPublicShape, async ({ params, at }) => {
      const shape = (await findPublicShapes(params.region_id, at)).find(
        ({ shape_uuid: id }) => id === params.shape_uuid,
      )
      if (!shape) throw new Problem('not_found', 'No such shape is published here.')
      return shape
    }),
    listPolicies(contract.listMdsPolicies),
    listPolicies(contract.listMdsPoliciesFile),
    route(contract.getMdsPolicy, ({ params, headers }) =>
      sendFeed(headers, (version) => buildPolicy(version, params.region_id, params.policy_id)),
    ),
    route(contract.getMdsRequirements, ({ params, headers }) =>
      sendFeed(headers, () => buildRequirements(params.region_id), ['2.0']),
    ),
    listGeographies(contract.listMdsGeographies),
    route(listExternalPolicies, async ({ viewer, params, query, headers, at }) => {
      const { regionId } = await findRegion(state, viewer.scope, params.region_id)
      return toPrivateResponse(
        await sendFeed(headers, (version) => buildPolicies(version, regionId, query, at)),
      )
    }),
    route(listExternalGeographies, async ({ viewer, params, headers }) => {
      const { regionId } = await findRegion(state, viewer.scope, params.region_id)
      return toPrivateResponse(await sendFeed(headers, (version) => buildGeographies(version, regionId)))
    }),
    listGeographies(contract.listMdsGeographiesFile),
    route(contract.getMdsGeography, ({ params, headers }) =>
      sendFeed(headers, (version) => buildGeography(version, params.region_id, params.geography_id)),
    ),
  ]
}
