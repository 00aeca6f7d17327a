import type { ListedPolicy, PolicyFilter, PolicyOrder } from '#contract/policies.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { listPolicy, newestOfEach, seenPolicies } from './policy-row.ts'
import { todayOf } from './today-of.ts'

type Filter = Omit<PolicyFilter, 'region_id' | 'sort' | 'page' | 'size'>

/** An empty filter matches every policy; an empty list in a policy means all. */
const appliesTo = <T>(filter: readonly T[], values: readonly T[]): boolean =>
  !filter.length || !values.length || values.some((each) => filter.includes(each))

/** Whether a policy matches the filters. A published one with a draft matches both states. */
export function passes(policy: ListedPolicy, filter: Filter): boolean {
  const sought = filter.text.trim().toLocaleLowerCase()
  const isInFeed = policy.published_policy_uuid !== null && policy.status !== 'expired'
  return (
    policy.policy_category === filter.policy_category &&
    `${policy.policy_name}\n${policy.description ?? ''}`.toLocaleLowerCase().includes(sought) &&
    (!filter.types.length || filter.types.includes(policy.policy_type)) &&
    (!filter.statuses.length ||
      filter.statuses.includes(policy.status) ||
      (isInFeed && filter.statuses.includes('published'))) &&
    appliesTo(filter.operators, policy.operators) &&
    appliesTo(filter.vehicle_types, policy.vehicle_types)
  )
}

/** Compares by a field, policies without a value last in both directions, equal ones by name and id. */
export function inOrder(sort: PolicyOrder): (a: ListedPolicy, b: ListedPolicy) => number {
  const down = sort.startsWith('-')
  const field = (down ? sort.slice(1) : sort) as keyof ListedPolicy
  const named = (a: ListedPolicy, b: ListedPolicy): number =>
    a.policy_name.localeCompare(b.policy_name) || a.policy_uuid.localeCompare(b.policy_uuid)
  return (a, b) => {
    const [one, other] = [a[field] as string | null, b[field] as string | null]
    if (one === null || other === null) return one === other ? named(a, b) : one === null ? 1 : -1
    return (down ? -1 : 1) * one.localeCompare(other) || named(a, b)
  }
}

/** A page of the newest revisions of a region's policies. */
export async function listPolicies(
  state: State,
  scope: Scope,
  { region_id: regionId, sort, page, size, ...filter }: PolicyFilter,
  at: Date,
) {
  const region = await findRegion(state, scope, regionId)
  const rows = await seenPolicies(state, scope)
    .where('region_id', '=', regionId)
    .where('is_deleted', '=', false)
    .execute()
  const found = newestOfEach(rows)
    .map((row) => listPolicy(row, rows, todayOf(region, at)))
    .filter((policy) => passes(policy, filter))
    .sort(inOrder(sort))
  return { data: found.slice((page - 1) * size, page * size), total: found.length, page, size }
}
