import { revenueKinds } from '#contract/curb-revenue.ts'
import { day, enumParam, searchParams, slug } from '#web/shell/search-params.ts'

/** URL parameters of the page: local days (both inclusive) and filters. */
export const readFeesSearch = searchParams({ from: day, to: day, kind: enumParam(revenueKinds), payer: slug })
