import { complianceStatuses } from '#contract/compliance.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import { orderPeriod, periodParams } from '#web/filters/period.ts'
import {
  day,
  enumListParam,
  flag,
  type SearchOf,
  searchParams,
  slug,
  slugs,
  tableParams,
  text,
  uuid,
} from '#web/shell/search-params.ts'

/** URL parameters of the summary. The type `unknown` means imported rules. */
export const complianceSearch = searchParams(
  {
    ...periodParams,
    search: text(),
    types: enumListParam([...policyTypes.map(({ name }) => name), 'unknown']),
    operators: slugs,
    statuses: enumListParam(complianceStatuses),
    /** Whether to compare with the previous period. */
    compare: flag,
    ...tableParams,
  },
  orderPeriod,
)
export type ComplianceSearch = SearchOf<typeof complianceSearch>

/** URL parameters of the page of a policy. */
export const detailSearch = searchParams(
  {
    ...periodParams,
    operators: slugs,
    /** The selected cell of the matrix. */
    date: day,
    operator: slug,
    shape: uuid,
    /** Whether uncertain facts are included. */
    uncertain: flag,
    ...tableParams,
    /** Whether the print report is shown. */
    report: flag,
  },
  orderPeriod,
)
export type DetailSearch = SearchOf<typeof detailSearch>
