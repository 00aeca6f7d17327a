import type { PublicShape } from '#contract/public-policies.ts'
import { Problem } from '#server/http/problem.ts'
import type { RawResponse } from '#server/http/route.ts'
import { findOpenRegion, type OpenRegion } from '#server/regions/public-region.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import type { State } from '#server/stores/state.ts'
import { findRequirements } from '../requirements/find-requirements.ts'
import { downgradeGeographies, downgradePolicies } from './downgrade-mds.ts'
import { toMdsRequirements } from './mds-requirements.ts'
import type { FeedVersion } from './negotiate-version.ts'
import { matchesFilter, parsePolicyQuery, type PolicyQuery } from './policy-query.ts'
import { listPublicRevisions, toPublicPolicies, toPublicShapes } from './public-policies.ts'
import {
  makeGeographiesBody,
  makePoliciesBody,
  neverPublished,
  type PublicFeed,
  readFeed,
} from './read-feed.ts'
import { type FeedBody, makeFeedBody, makeFeedError } from './send-feed.ts'

export interface FeedContext {
  state: State
  nowMs: () => number
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

/** The feed of a region is cached until a policy changes. Changes by other servers appear after this time. */
const cacheMs = 5000

/** Bodies of public feeds. Those of MDS are null if nothing is published, or not the requested item. */
export class RegionFeeds {
  readonly #state: State
  readonly #publicUrl: string
  readonly #regions: InvalidatingCache<RegionFeed | null>
  constructor({ state, nowMs, publicUrl }: FeedContext) {
    this.#state = state
    this.#publicUrl = publicUrl
    this.#regions = new InvalidatingCache<RegionFeed | null>({
      changes: state.changes,
      tables: ['policy', 'policy_geography', 'region', 'organization', 'operator', 'requirements'],
      ttlMs: cacheMs,
      maxEntries: 50,
      nowMs,
    })
  }

  #find(regionId: string): Promise<RegionFeed | null> {
    return this.#regions.get(regionId, async () => {
      const openRegion = await findOpenRegion(this.#state, regionId)
      if (!openRegion) return null
      const [feed, operators] = await Promise.all([
        readFeed(this.#state, openRegion.scope, regionId),
        this.#state
          .as(openRegion.scope)
          .selectFrom('operator')
          .select(['slug', 'name', 'provider_id'])
          .orderBy('provider_id')
          .execute(),
      ])
      return { ...openRegion, feed, operators, geographies: new Map(), plain: null }
    })
  }

  /** Returns the policies that match a query, in MDS. */
  async getPolicies(
    version: FeedVersion,
    regionId: string,
    query: PolicyQuery,
    at: Date,
  ): Promise<FeedBody | RawResponse | null> {
    const regionFeed = await this.#find(regionId)
    if (!regionFeed) return null
    const filter = parsePolicyQuery(query, at)
    if (typeof filter === 'string') return makeFeedError(400, 'bad_param', filter)
    const { lastUpdated, policies: feedItems } = regionFeed.feed
    if (filter.onlyLastUpdated)
      return makeFeedBody(
        version === '2.0'
          ? { version: '2.0.0', last_updated: lastUpdated }
          : { version: '1.2.0', updated: lastUpdated },
      )
    const bodies = feedItems.filter((revision) => matchesFilter(revision, filter, at)).map(({ body }) => body)
    return makeFeedBody(
      version === '2.0' ? makePoliciesBody(lastUpdated, bodies) : downgradePolicies(bodies, lastUpdated),
    )
  }

  async getPolicy(version: FeedVersion, regionId: string, policyId: string): Promise<FeedBody | null> {
    const regionFeed = await this.#find(regionId)
    const policy = regionFeed?.feed.policies.find((revision) => revision.policyId === policyId)
    if (!regionFeed || !policy) return null
    return makeFeedBody(
      version === '2.0'
        ? makePoliciesBody(regionFeed.feed.lastUpdated, [policy.body])
        : downgradePolicies([policy.body], regionFeed.feed.lastUpdated),
    )
  }

  async getGeographies(version: FeedVersion, regionId: string): Promise<FeedBody | null> {
    const regionFeed = await this.#find(regionId)
    if (!regionFeed) return null
    const { lastUpdated, geographies: feedItems } = regionFeed.feed
    const body =
      regionFeed.geographies.get(version) ??
      makeFeedBody(
        version === '2.0'
          ? makeGeographiesBody(lastUpdated, feedItems)
          : downgradeGeographies(feedItems, lastUpdated),
      )
    regionFeed.geographies.set(version, body)
    return body
  }

  async getGeography(version: FeedVersion, regionId: string, id: string): Promise<FeedBody | null> {
    const regionFeed = await this.#find(regionId)
    const geography = regionFeed?.feed.geographies.find(({ geography_id: geographyId }) => geographyId === id)
    if (!regionFeed || !geography) return null
    return makeFeedBody(
      version === '2.0'
        ? makeGeographiesBody(regionFeed.feed.lastUpdated, [geography])
        : downgradeGeographies([geography], regionFeed.feed.lastUpdated),
    )
  }

  async getRequirements(regionId: string): Promise<FeedBody | null> {
    const regionFeed = await this.#find(regionId)
    if (!regionFeed) return null
    const { region, scope, createdTime } = regionFeed
    const [organization, requirements] = await Promise.all([
      this.#state
        .as(scope)
        .selectFrom('organization')
        .select('name')
        .where('organization_id', '=', region.organizationId)
        .executeTakeFirst(),
      findRequirements(this.#state.as(scope), regionId),
    ])
    const operators = regionFeed.operators.flatMap(({ slug, provider_id: providerId }) =>
      providerId === null ? [] : [{ slug, providerId }],
    )
    return makeFeedBody(
      toMdsRequirements({
        region,
        name: organization?.name ?? region.text,
        operators,
        requirements,
        created: Math.max(createdTime.getTime(), neverPublished),
        publicUrl: this.#publicUrl.replace(/\/$/, ''),
      }),
    )
  }

  /** Returns the policies that are in force, to come, or recently ended at a time, as plain fields. */
  async getPublicPoliciesBody(regionId: string, at: Date): Promise<FeedBody> {
    const regionFeed = await this.#find(regionId)
    if (!regionFeed) throw new Problem('not_found', 'No policies are published here.')
    // The body also changes with time, when revisions begin or end.
    const revisionIds = listPublicRevisions(regionFeed.feed, at)
      .map(({ policyId }) => policyId)
      .join()
    if (regionFeed.plain?.revisionIds !== revisionIds)
      regionFeed.plain = {
        revisionIds,
        body: makeFeedBody(
          toPublicPolicies(
            regionFeed.region,
            regionFeed.feed,
            new Map(regionFeed.operators.map(({ slug, name }) => [slug, name])),
            at,
          ),
        ),
      }
    return regionFeed.plain.body
  }

  /** Returns the shapes of the policies as plain fields. */
  async listPublicShapes(regionId: string, at: Date): Promise<PublicShape[]> {
    const regionFeed = await this.#find(regionId)
    if (!regionFeed) throw new Problem('not_found', 'No shapes are published here.')
    return toPublicShapes(regionFeed.feed, at)
  }
}
