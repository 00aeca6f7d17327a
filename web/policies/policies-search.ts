import { VehicleType } from '#contract/mobility.ts'
import { type PolicyOrder, policyOrders } from '#contract/policies.ts'
import { PolicyStatus } from '#contract/policy.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { oneOf, orAbsent, slugsOf, someOf, unlessDefault, wholeUpTo } from '#web/evaluation/search-values.ts'

export const usualOrder: PolicyOrder = 'policy_name'

/** The library's state in the address bar. What has its default value is absent. */
export interface PoliciesSearch {
  text?: string | undefined
  types?: string[] | undefined
  statuses?: PolicyStatus[] | undefined
  operators?: string[] | undefined
  vehicleTypes?: VehicleType[] | undefined
  sort?: PolicyOrder | undefined
  page?: number | undefined
}

const longestText = 200
const mostPages = 100_000
const typeNames = policyTypes.map(({ name }) => name)

/** Text of the address bar; one of digits alone is a number there. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).trim().slice(0, longestText) || undefined
    : undefined

/** Reads the address bar's state; never fails: what makes no sense is as if absent. */
export function policiesSearch(search: Record<string, unknown>): PoliciesSearch {
  const found: PoliciesSearch = {
    text: textOf(search['text']),
    types: someOf(typeNames, search['types']),
    statuses: someOf(PolicyStatus.options, search['statuses']),
    operators: orAbsent(slugsOf(search['operators'])),
    vehicleTypes: someOf(VehicleType.options, search['vehicleTypes']),
    sort: unlessDefault(oneOf(policyOrders, search['sort']), usualOrder),
    page: unlessDefault(wholeUpTo(mostPages, search['page']), 1),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

/** How many filters are set beside the text. */
export const filterCount = ({ types, statuses, operators, vehicleTypes }: PoliciesSearch): number =>
  [types, statuses, operators, vehicleTypes].filter((each) => each !== undefined).length
