import { countFindings, placeMatches } from '#contract/curb-counts.ts'
import { enumParam, page, searchParams, text } from '#web/shell/search-params.ts'

export const countsSearch = searchParams({ page })

/** URL parameters of a file's report: `code` filters findings; `match`, `search` and `page` are of places. */
export const countSearch = searchParams({
  code: enumParam(countFindings),
  match: enumParam(placeMatches),
  search: text(),
  page,
  findings_page: page,
})
