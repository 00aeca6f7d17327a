import type { Geometry } from '#contract/place.ts'
import {
  publicFields,
  type PublicPolicies,
  type PublicPolicy,
  type PublicShape,
} from '#contract/public-policies.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import { citywide, type PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { parsePolicyQuery, matchesFilter } from './policy-query.ts'
import { type FeedRevision, neverPublished, type PublicFeed } from './read-feed.ts'

/** Policies that ended are listed for this time. */
const endedFor = 30 * 86_400_000

type PublicField = keyof typeof publicFields
const fieldNames = Object.keys(publicFields) as PublicField[]

const iso = (time: number): string => new Date(time).toISOString()

function publicPolicyOf(
  { policyId, constantPolicyId, body, fields, from, until }: FeedRevision,
  operators: ReadonlyMap<string, string>,
): PublicPolicy {
  const { policy_type, shape_layer_uuid: layer } = fields
  return {
    ...(Object.fromEntries(fieldNames.map((name) => [name, fields[name]])) as Pick<
      PolicyFields,
      PublicField
    >),
    policy_uuid: policyId,
    constant_policy_uuid: constantPolicyId,
    operators: fields.operators.map((slug) => ({ slug, name: operators.get(slug) ?? slug })),
    published_time: iso(body.published_date ?? from),
    effective_from: iso(from),
    effective_until: until === null ? null : iso(until),
    geography_ids: [...new Set(body.rules.flatMap(({ geographies }) => geographies))],
    is_region_wide: layer === citywide || policyTypeOf(policy_type)?.place === 'region',
    mds: fields.imported_mds
      ? { rules: body.rules, currency: body.currency ?? null, provider_ids: body.provider_ids ?? [] }
      : null,
  }
}

/** Whether a policy ended lately; superseded ones did not end. */
const endedLately = ({ body, from, until }: FeedRevision, at: Date): boolean =>
  until !== null &&
  from < until &&
  until === body.end_date &&
  until <= at.getTime() &&
  until > at.getTime() - endedFor

/** The revisions in the public list: those in force now or later, and those that ended lately without being superseded. */
export function shownRevisions({ policies }: PublicFeed, at: Date): FeedRevision[] {
  const filter = parsePolicyQuery({}, at)
  const held = typeof filter === 'string' ? [] : policies.filter((each) => matchesFilter(each, filter, at))
  const goOn = new Set(held.map(({ constantPolicyId }) => constantPolicyId))
  const ended = policies.filter((each) => endedLately(each, at) && !goOn.has(each.constantPolicyId))
  return [...held, ...ended]
}

/** The shapes of public policies, by name. */
export function publicShapesOf(feed: PublicFeed, at: Date): PublicShape[] {
  const named = new Set(
    shownRevisions(feed, at).flatMap(({ body }) => body.rules.flatMap(({ geographies }) => geographies)),
  )
  return feed.geographies
    .filter(({ geography_id: id }) => named.has(id))
    .map(({ geography_id, name, description, geography_json: json }) => ({
      shape_uuid: geography_id,
      shape_name: name,
      shape_description: description ?? null,
      geometries: (json['features'] as { geometry: Geometry }[]).map(({ geometry }) => geometry),
    }))
}

/** Public policies as plain fields, by name, with their places. */
export function publicPoliciesOf(
  { text, lat, lon, mapZoom, isMetric, currencyCode, timezone }: Region,
  feed: PublicFeed,
  operators: ReadonlyMap<string, string>,
  at: Date,
): PublicPolicies {
  const policies = shownRevisions(feed, at)
    .map((each) => publicPolicyOf(each, operators))
    .sort((a, b) => a.policy_name.localeCompare(b.policy_name))
  const named = new Set(policies.flatMap(({ geography_ids: ids }) => ids))
  const geographies = feed.geographies
    .filter(({ geography_id: id }) => named.has(id))
    .map(({ geography_id, name, geography_json: json }) => ({
      geography_id,
      name,
      geometries: (json['features'] as { geometry: Geometry }[]).map(({ geometry }) => geometry),
    }))
  return {
    text,
    lat,
    lon,
    mapZoom,
    isMetric,
    currencyCode,
    timezone,
    last_updated: feed.lastUpdated > neverPublished ? iso(feed.lastUpdated) : null,
    policies,
    geographies,
  }
}
