import { curbActivities, wellKnownPurposes, wellKnownUserClasses } from '#contract/cds.ts'
import { type RegulationOrder, regulationOrderKeys } from '#contract/curb-regulations.ts'
import { PolicyStatus } from '#contract/policy.ts'
import {
  enumListParam,
  enumParam,
  type SearchOf,
  searchParams,
  sort,
  tableParams,
  text,
} from '#web/shell/search-params.ts'

export const defaultOrder: RegulationOrder = 'name'

/** URL parameters of the regulations library. */
export const regulationsSearch = searchParams({
  search: text(),
  statuses: enumListParam(PolicyStatus.options),
  activities: enumListParam(curbActivities),
  user_classes: enumListParam(wellKnownUserClasses),
  purposes: enumListParam(wellKnownPurposes),
  paid: enumParam(['yes', 'no']),
  ...tableParams,
  sort: sort(regulationOrderKeys, defaultOrder),
})
export type RegulationsSearch = SearchOf<typeof regulationsSearch>

/** Tests whether a search or a filter is set. */
export const isFiltered = (search: RegulationsSearch): boolean =>
  (['search', 'statuses', 'activities', 'user_classes', 'purposes', 'paid'] as const).some(
    (key) => search[key] !== undefined,
  )
