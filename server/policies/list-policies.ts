import type { ListedPolicy, PolicyFilter, PolicyOrder } from '#contract/policies.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { toListedPolicy, filterNewest, selectVisiblePolicies } from './policy-row.ts'
import { getToday } from './today-in.ts'

type PolicyListFilter = Omit<PolicyFilter, 'region_id' | 'sort' | 'page' | 'size'>

/** Whether values match a filter. An empty filter matches everything; an empty list means all values. */
const matchesValues = <T>(filter: readonly T[], values: readonly T[]): boolean =>
  !filter.length || !values.length || values.some((value) => filter.includes(value))

/** Whether a policy matches the filters. A published policy with a draft has both states. */
export function matchesPolicyFilter(policy: ListedPolicy, filter: PolicyListFilter): boolean {
  const searchText = filter.text.trim().toLocaleLowerCase()
  const isInFeed = policy.published_policy_uuid !== null && policy.status !== 'expired'
  return (
    policy.policy_category === filter.policy_category &&
    `${policy.policy_name}\n${policy.description ?? ''}`.toLocaleLowerCase().includes(searchText) &&
    (!filter.types.length || filter.types.includes(policy.policy_type)) &&
    (!filter.statuses.length ||
      filter.statuses.includes(policy.status) ||
      (isInFeed && filter.statuses.includes('published'))) &&
    matchesValues(filter.operators, policy.operators) &&
    matchesValues(filter.vehicle_types, policy.vehicle_types)
  )
}

/** Returns a comparison. Policies without a value are last in both directions; then by name and id. */
export function createPolicyComparator(sort: PolicyOrder): (a: ListedPolicy, b: ListedPolicy) => number {
  const isDescending = sort.startsWith('-')
  const field = (isDescending ? sort.slice(1) : sort) as keyof ListedPolicy
  const compareNames = (a: ListedPolicy, b: ListedPolicy): number =>
    a.policy_name.localeCompare(b.policy_name) || a.policy_uuid.localeCompare(b.policy_uuid)
  return (a, b) => {
    const valueA = a[field] as string | null
    const valueB = b[field] as string | null
    if (valueA === valueB) return compareNames(a, b)
    if (valueA === null) return 1
    if (valueB === null) return -1
    return (isDescending ? -1 : 1) * valueA.localeCompare(valueB) || compareNames(a, b)
  }
}

/** Returns a page of the newest revisions of a region's policies. */
export async function listPolicies(
  state: State,
  scope: Scope,
  { region_id: regionId, sort, page, size, ...filter }: PolicyFilter,
  at: Date,
) {
  const region = await findRegion(state, scope, regionId)
  const rows = await selectVisiblePolicies(state, scope)
    .where('region_id', '=', regionId)
    .where('is_deleted', '=', false)
    .execute()
  const matching = filterNewest(rows)
    .map((row) => toListedPolicy(row, rows, getToday(region, at)))
    .filter((policy) => matchesPolicyFilter(policy, filter))
    .sort(createPolicyComparator(sort))
  return { data: matching.slice((page - 1) * size, page * size), total: matching.length, page, size }
}
