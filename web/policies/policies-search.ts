import { VehicleType } from '#contract/mobility.ts'
import { type PolicyOrder, policyOrders } from '#contract/policies.ts'
import { PolicyStatus } from '#contract/policy.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import {
  oneOf,
  searchParams,
  slugs,
  someOf,
  tableParams,
  text,
  type SearchOf,
} from '#web/shell/search-params.ts'

export const defaultOrder: PolicyOrder = 'policy_name'

/** URL parameters of the policy library. */
export const policiesSearch = searchParams({
  search: text(),
  types: someOf(policyTypes.map(({ name }) => name)),
  statuses: someOf(PolicyStatus.options),
  operators: slugs,
  vehicle_types: someOf(VehicleType.options),
  ...tableParams,
  sort: oneOf(policyOrders, defaultOrder),
})
export type PoliciesSearch = SearchOf<typeof policiesSearch>

/** Number of active filters, without the search text. */
export const filterCount = ({ types, statuses, operators, vehicle_types }: PoliciesSearch): number =>
  [types, statuses, operators, vehicle_types].filter((each) => each !== undefined).length
