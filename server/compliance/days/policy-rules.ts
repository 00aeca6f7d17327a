import type { Geometry } from '#contract/place.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import type { PolicyFields } from '#contract/policy.ts'
import type { Region } from '#contract/regions.ts'
import { findPolicyShapes } from '#server/policies/find-policy-shapes.ts'
import type { FrozenGeography } from '#server/policies/freeze-geographies.ts'
import { type PublishedRevision, findPublishedRevisions } from '#server/policies/published-revisions.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { DayRule } from './day-rule.ts'
import { makeDayRule } from './make-day-rule.ts'

const geographiesPerQuery = 1000

/** Reads the geometries of frozen geographies, by id. */
async function readFrozenGeometries(store: Store, ids: readonly string[]): Promise<Map<string, Geometry[]>> {
  const geometriesById = new Map<string, Geometry[]>()
  for (let start = 0; start < ids.length; start += geographiesPerQuery)
    for (const { geography_id: id, geography_json: json } of await store
      .selectFrom('policy_geography')
      .select(['geography_id', 'geography_json'])
      .where('geography_id', 'in', ids.slice(start, start + geographiesPerQuery))
      .execute())
      geometriesById.set(
        id,
        (json as unknown as { features: { geometry: Geometry }[] }).features.map(({ geometry }) => geometry),
      )
  return geometriesById
}

const toNamedShapes = (
  geographies: readonly FrozenGeography[],
  geometries: ReadonlyMap<string, Geometry[]>,
) =>
  geographies.map(({ geography_id: id, shape_uuid: shapeId, name }) => ({
    shapeId,
    name,
    geometries: geometries.get(id) ?? [],
  }))

/** Adds the shapes of revisions, as they were frozen at publication. */
export async function addGeometries<Revision extends Pick<PublishedRevision, 'geographies'>>(
  state: State,
  scope: Scope,
  revisions: readonly Revision[],
): Promise<{ revision: Revision; namedShapes: ReturnType<typeof toNamedShapes> }[]> {
  const geometries = await readFrozenGeometries(state.as(scope), [
    ...new Set(revisions.flatMap(({ geographies }) => geographies.map(({ geography_id: id }) => id))),
  ])
  return revisions.map((revision) => ({
    revision,
    namedShapes: toNamedShapes(revision.geographies, geometries),
  }))
}

/** Sets operators by provider ids. A policy with unknown ones only is null: it applies to nobody. */
export async function resolveProviders<Fields extends PolicyFields>(
  state: State,
  scope: Scope,
  policies: readonly Fields[],
): Promise<(Fields | null)[]> {
  const listProviders = ({ policy_type: type, imported_mds: mds }: PolicyFields): readonly string[] =>
    findPolicyType(type) ? [] : (mds?.provider_ids ?? [])
  const ids = [...new Set(policies.flatMap(listProviders))]
  const knownOperators = ids.length
    ? await state
        .as(scope)
        .selectFrom('operator')
        .select(['slug', 'provider_id'])
        .where('provider_id', 'in', ids)
        .execute()
    : []
  return policies.map((policy) => {
    const providers = listProviders(policy)
    if (!providers.length) return policy
    const operators = knownOperators
      .filter(({ provider_id: id }) => id !== null && providers.includes(id))
      .map(({ slug }) => slug)
    return operators.length ? { ...policy, operators } : null
  })
}

/** Returns the revisions that can be measured, each with its rule, in the given order. */
export async function makeRevisionRules(
  state: State,
  scope: Scope,
  revisions: readonly PublishedRevision[],
): Promise<{ revision: PublishedRevision; rule: DayRule }[]> {
  const revisionsWithShapes = await addGeometries(state, scope, revisions)
  const policies = await resolveProviders(
    state,
    scope,
    revisions.map(({ policy }) => policy),
  )
  return revisionsWithShapes.flatMap(({ revision, namedShapes }, index) => {
    const { from, until } = revision
    const policy = policies[index]
    const rule = policy && makeDayRule(policy, namedShapes, { policyId: policy.policy_uuid, from, until })
    return rule ? [{ revision, rule }] : []
  })
}

/** Finds the published revisions of a policy, given by its constant id. */
export const findPolicyRevisions = async (
  state: State,
  scope: Scope,
  { regionId, constantId, at }: { regionId: string; constantId: string; at: Date },
): Promise<PublishedRevision[]> =>
  (await findPublishedRevisions(state, scope, regionId, at)).filter(
    ({ policy }) => policy.constant_policy_uuid === constantId,
  )

/**
 * Makes the rule of an unsaved policy in the editor, on the current geometry of its shapes, as if it had
 * always been in force. Null if its type is not measured, or if it applies to no known operator.
 */
export async function makeDraftRule(
  state: State,
  scope: Scope,
  region: Region,
  policy: PolicyFields,
): Promise<DayRule | null> {
  const shapes = (await findPolicyShapes(state, scope, region, policy)).map(
    ({ shapeId, name, geometries }) => ({ shapeId, name, geometries }),
  )
  const [resolvedPolicy] = await resolveProviders(state, scope, [policy])
  return resolvedPolicy
    ? makeDayRule({ ...resolvedPolicy, start_date: null, end_date: null }, shapes, {
        policyId: null,
        from: -Infinity,
        until: null,
      })
    : null
}
