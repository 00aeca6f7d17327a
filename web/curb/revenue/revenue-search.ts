import { revenueKinds } from '#contract/curb-revenue.ts'
import { day, oneOf, searchParams, slug } from '#web/shell/search-params.ts'

/** URL parameters of the page: period and filters. */
export const readRevenueSearch = searchParams({
  from: day,
  to: day,
  kind: oneOf(revenueKinds),
  payer: slug,
})
