import type { MdsGeographies, MdsPolicies } from '#contract/mds-policy-feed.ts'
import type { MdsGeography, MdsPolicy } from '#contract/mds-policy.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import { readFields } from '../stored-fields.ts'
import type { EffectiveRevision } from './policy-query.ts'
import { formatMdsText } from '../to-mds-policy.ts'

export interface FeedRevision extends EffectiveRevision {
  constantPolicyId: string
  /** The published MDS policy. */
  body: MdsPolicy
  fields: PolicyFields
}

/** The current content of a region's feeds. */
export interface PublicFeed {
  /** Milliseconds since 1970. */
  lastUpdated: number
  /** Ordered by start. */
  policies: FeedRevision[]
  /** The geographies of the policies, ordered by name. */
  geographies: MdsGeography[]
}

const version = '2.0.0'

/** The time of a feed without publications: the earliest time that MDS allows. */
export const neverPublished = Date.UTC(2018, 0, 1)
/** Number of ids in one query. */
const batchSize = 1000

/** Reads frozen geographies, ordered by name. */
async function readGeographies(store: Store, ids: readonly string[]): Promise<MdsGeography[]> {
  const geographies: MdsGeography[] = []
  for (let from = 0; from < ids.length; from += batchSize) {
    const rows = await store
      .selectFrom('policy_geography')
      .selectAll()
      .where('geography_id', 'in', ids.slice(from, from + batchSize))
      .execute()
    for (const row of rows)
      geographies.push({
        name: formatMdsText(row.name),
        ...(row.description ? { description: formatMdsText(row.description) } : {}),
        geography_type: row.geography_type,
        geography_id: row.geography_id,
        geography_json: row.geography_json,
        published_date: row.published_time.getTime(),
        ...(row.prev_geography_id ? { prev_geographies: [row.prev_geography_id] } : {}),
      })
  }
  return geographies.sort(
    (a, b) =>
      a.name.localeCompare(b.name) ||
      (a.published_date ?? 0) - (b.published_date ?? 0) ||
      a.geography_id.localeCompare(b.geography_id),
  )
}

/** Reads the published revisions of a region and their frozen geographies. */
export async function readFeed(state: State, scope: Scope, regionId: string): Promise<PublicFeed> {
  const store = state.as(scope)
  const revisions = await store
    .selectFrom('policy')
    .select([
      'policy_id',
      'constant_policy_id',
      'fields',
      'currency',
      'mds',
      'grounds',
      'published_time',
      'unpublished_time',
      'superseded_time',
      'is_deleted',
    ])
    .where('region_id', '=', regionId)
    .where('published_time', 'is not', null)
    .execute()
  const revisionsInFeed = revisions.filter(
    ({ unpublished_time: unpublishedTime, is_deleted: isDeleted, mds }) =>
      !unpublishedTime && !isDeleted && mds !== null,
  )
  const usedIds = new Set(revisionsInFeed.flatMap(({ grounds }) => grounds.map(({ geography_id: id }) => id)))
  const geographies = await readGeographies(store, [...usedIds])
  const policies = revisionsInFeed.map(
    ({
      policy_id: policyId,
      constant_policy_id: constantPolicyId,
      fields,
      currency,
      mds,
      superseded_time: superseded,
    }): FeedRevision => {
      const body = mds as MdsPolicy
      const ends = [body.end_date, superseded?.getTime()].filter((time) => time != null)
      return {
        policyId,
        constantPolicyId,
        body,
        fields: readFields(fields, currency),
        from: body.start_date,
        until: ends.length ? Math.min(...ends) : null,
      }
    },
  )
  return {
    lastUpdated: Math.max(
      neverPublished,
      ...revisions.flatMap(({ published_time: published, unpublished_time: unpublishedTime }) => [
        published?.getTime() ?? 0,
        unpublishedTime?.getTime() ?? 0,
      ]),
    ),
    policies: policies.sort((a, b) => a.from - b.from || a.policyId.localeCompare(b.policyId)),
    geographies,
  }
}

export const makePoliciesBody = (lastUpdated: number, policies: readonly MdsPolicy[]): MdsPolicies => ({
  version,
  last_updated: lastUpdated,
  policies: [...policies],
})
export const makeGeographiesBody = (
  lastUpdated: number,
  geographies: readonly MdsGeography[],
): MdsGeographies => ({ version, last_updated: lastUpdated, geographies: [...geographies] })
