import { countFindings, placeMatches } from '#contract/curb-counts.ts'
import { oneOf, page, searchParams, text } from '#web/shell/search-params.ts'

export const countsSearch = searchParams({ page })

export const countSearch = searchParams({
  code: oneOf(countFindings),
  match: oneOf(placeMatches),
  search: text(),
  page,
  findings_page: page,
})
