import { revenueKinds } from '#contract/curb-revenue.ts'
import { day, enumParam, searchParams, slug } from '#web/shell/search-params.ts'

/** URL parameters of the page: period and filters. */
export const readRevenueSearch = searchParams({
  from: day,
  to: day,
  kind: enumParam(revenueKinds),
  payer: slug,
})
