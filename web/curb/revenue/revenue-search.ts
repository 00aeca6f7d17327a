import { revenueKinds } from '#contract/curb-revenue.ts'
import { day, oneOf, searchParams, slug } from '#web/shell/search-params.ts'

/** The period and filters of the page in the address bar. */
export const readRevenueSearch = searchParams({
  from: day,
  to: day,
  kind: oneOf(revenueKinds),
  payer: slug,
})
