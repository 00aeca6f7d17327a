import { dayMs } from '#contract/period.ts'
import type { Geometry } from '#contract/place.ts'
import {
  publicFields,
  type PublicPolicies,
  type PublicPolicy,
  type PublicShape,
} from '#contract/public-policies.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { citywide, type PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { parsePolicyQuery, matchesFilter } from './policy-query.ts'
import { type FeedRevision, neverPublished, type PublicFeed } from './read-feed.ts'

/** Policies remain in the public list for this time after they ended. */
const endedListedMs = 30 * dayMs

type PublicField = keyof typeof publicFields
const fieldNames = Object.keys(publicFields) as PublicField[]
const toIso = (time: number): string => new Date(time).toISOString()

function toPublicPolicy(
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
    published_time: toIso(body.published_date ?? from),
    effective_from: toIso(from),
    effective_until: until === null ? null : toIso(until),
    geography_ids: [...new Set(body.rules.flatMap(({ geographies }) => geographies))],
    is_region_wide: layer === citywide || findPolicyType(policy_type)?.place === 'region',
    mds: fields.imported_mds
      ? { rules: body.rules, currency: body.currency ?? null, provider_ids: body.provider_ids ?? [] }
      : null,
  }
}

/** Whether a revision ended recently. Superseded revisions do not count as ended. */
const hasEndedRecently = ({ body, from, until }: FeedRevision, at: Date): boolean =>
  until !== null &&
  from < until &&
  until === body.end_date &&
  until <= at.getTime() &&
  until > at.getTime() - endedListedMs

/** Lists the revisions that are in force now or later, or that ended recently without a successor. */
export function listPublicRevisions({ policies }: PublicFeed, at: Date): FeedRevision[] {
  const filter = parsePolicyQuery({}, at)
  const revisionsInForce =
    typeof filter === 'string' ? [] : policies.filter((revision) => matchesFilter(revision, filter, at))
  const inForceIds = new Set(revisionsInForce.map(({ constantPolicyId }) => constantPolicyId))
  const endedRevisions = policies.filter(
    (revision) => hasEndedRecently(revision, at) && !inForceIds.has(revision.constantPolicyId),
  )
  return [...revisionsInForce, ...endedRevisions]
}

/** Returns the shapes of public policies, ordered by name. */
export function toPublicShapes(feed: PublicFeed, at: Date): PublicShape[] {
  const usedIds = new Set(
    listPublicRevisions(feed, at).flatMap(({ body }) => body.rules.flatMap(({ geographies }) => geographies)),
  )
  return feed.geographies
    .filter(({ geography_id: id }) => usedIds.has(id))
    .map(({ geography_id, name, description, geography_json: json }) => ({
      shape_uuid: geography_id,
      shape_name: name,
      shape_description: description ?? null,
      geometries: (json['features'] as { geometry: Geometry }[]).map(({ geometry }) => geometry),
    }))
}

/** Returns public policies as plain fields, ordered by name, with their geographies. */
export function toPublicPolicies(
  { text, lat, lon, mapZoom, isMetric, currencyCode, timezone }: Region,
  feed: PublicFeed,
  operators: ReadonlyMap<string, string>,
  at: Date,
): PublicPolicies {
  const policies = listPublicRevisions(feed, at)
    .map((revision) => toPublicPolicy(revision, operators))
    .sort((a, b) => a.policy_name.localeCompare(b.policy_name))
  const usedIds = new Set(policies.flatMap(({ geography_ids: ids }) => ids))
  const geographies = feed.geographies
    .filter(({ geography_id: id }) => usedIds.has(id))
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
    last_updated: feed.lastUpdated > neverPublished ? toIso(feed.lastUpdated) : null,
    policies,
    geographies,
  }
}
