import type { Geometry } from '#contract/place.ts'
import { policyTypeOf } from '#contract/policy-types/list.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { findPolicyShapes } from '#server/policies/find-policy-shapes.ts'
import type { FrozenGeography } from '#server/policies/freeze-geographies.ts'
import { type PublishedRevision, publishedRevisions } from '#server/policies/published-revisions.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { DayRule } from './day-rule.ts'
import { dayRule } from './make-day-rule.ts'

const atOnce = 1000

/** The geometries of frozen geographies by id. */
async function frozenGeometries(store: Store, ids: readonly string[]): Promise<Map<string, Geometry[]>> {
  const found = new Map<string, Geometry[]>()
  for (let at = 0; at < ids.length; at += atOnce)
    for (const { geography_id: id, geography_json: json } of await store
      .selectFrom('policy_geography')
      .select(['geography_id', 'geography_json'])
      .where('geography_id', 'in', ids.slice(at, at + atOnce))
      .execute())
      found.set(
        id,
        (json as unknown as { features: { geometry: Geometry }[] }).features.map(({ geometry }) => geometry),
      )
  return found
}

const named = (geographies: readonly FrozenGeography[], geometries: ReadonlyMap<string, Geometry[]>) =>
  geographies.map(({ geography_id: id, shape_uuid: shapeId, name }) => ({
    shapeId,
    name,
    geometries: geometries.get(id) ?? [],
  }))

/** Revisions with the geometries of their geographies. */
export async function withGeometries<Revision extends Pick<PublishedRevision, 'geographies'>>(
  state: State,
  scope: Scope,
  revisions: readonly Revision[],
): Promise<{ revision: Revision; named: ReturnType<typeof named> }[]> {
  const geometries = await frozenGeometries(state.as(scope), [
    ...new Set(revisions.flatMap(({ geographies }) => geographies.map(({ geography_id: id }) => id))),
  ])
  return revisions.map((revision) => ({ revision, named: named(revision.geographies, geometries) }))
}

/** Sets the operators of imported policies by provider id; null if none of the providers is known, so that the policy applies to nobody. */
export async function withProviders<Fields extends PolicyFields>(
  state: State,
  scope: Scope,
  policies: readonly Fields[],
): Promise<(Fields | null)[]> {
  const providersOf = ({ policy_type: type, imported_mds: mds }: PolicyFields): readonly string[] =>
    policyTypeOf(type) ? [] : (mds?.provider_ids ?? [])
  const ids = [...new Set(policies.flatMap(providersOf))]
  const known = ids.length
    ? await state
        .as(scope)
        .selectFrom('operator')
        .select(['slug', 'provider_id'])
        .where('provider_id', 'in', ids)
        .execute()
    : []
  return policies.map((policy) => {
    const providers = providersOf(policy)
    if (!providers.length) return policy
    const operators = known
      .filter(({ provider_id: id }) => id !== null && providers.includes(id))
      .map(({ slug }) => slug)
    return operators.length ? { ...policy, operators } : null
  })
}

/** The published revisions of a region's policies that can be measured, each with its rule, oldest first. */
export async function rulesOfRevisions(
  state: State,
  scope: Scope,
  revisions: readonly PublishedRevision[],
): Promise<{ revision: PublishedRevision; rule: DayRule }[]> {
  const placed = await withGeometries(state, scope, revisions)
  const policies = await withProviders(
    state,
    scope,
    revisions.map(({ policy }) => policy),
  )
  return placed.flatMap(({ revision, named: shapes }, index) => {
    const { from, until } = revision
    const policy = policies[index]
    const rule = policy && dayRule(policy, shapes, { policyId: policy.policy_uuid, from, until })
    return rule ? [{ revision, rule }] : []
  })
}

/** The revisions of one policy. */
export const revisionsOf = async (
  state: State,
  scope: Scope,
  regionId: string,
  constantId: string,
  at: Date,
): Promise<PublishedRevision[]> =>
  (await publishedRevisions(state, scope, regionId, at)).filter(
    ({ policy }) => policy.constant_policy_uuid === constantId,
  )

/** The rule of a policy in the editor, on its shapes as they are now, as if it had always been in force; null if it is not measured. */
export async function ruleOfDraft(
  state: State,
  scope: Scope,
  region: Region,
  policy: PolicyFields,
): Promise<DayRule | null> {
  const shapes = (await findPolicyShapes(state, scope, region, policy)).map(
    ({ shapeId, name, geometries }) => ({
      shapeId,
      name,
      geometries,
    }),
  )
  const [resolved] = await withProviders(state, scope, [policy])
  return resolved
    ? dayRule({ ...resolved, start_date: null, end_date: null }, shapes, {
        policyId: null,
        from: -Infinity,
        until: null,
      })
    : null
}
