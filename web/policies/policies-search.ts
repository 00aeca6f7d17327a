import { VehicleType } from '#contract/mobility.ts'
import { type PolicyOrder, policyOrders } from '#contract/policies.ts'
import { PolicyStatus } from '#contract/policy.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import {
  enumListParam,
  enumParam,
  type SearchOf,
  searchParams,
  slugs,
  tableParams,
  text,
} from '#web/shell/search-params.ts'

export const defaultOrder: PolicyOrder = 'policy_name'

/** URL parameters of the policy library. */
export const policiesSearch = searchParams({
  search: text(),
  types: enumListParam(policyTypes.map(({ name }) => name)),
  statuses: enumListParam(PolicyStatus.options),
  operators: slugs,
  vehicle_types: enumListParam(VehicleType.options),
  ...tableParams,
  sort: enumParam(policyOrders, defaultOrder),
})
export type PoliciesSearch = SearchOf<typeof policiesSearch>

/** Counts the active filters, without the search text. */
export const countFilters = ({ types, statuses, operators, vehicle_types }: PoliciesSearch): number =>
  [types, statuses, operators, vehicle_types].filter((filter) => filter !== undefined).length
