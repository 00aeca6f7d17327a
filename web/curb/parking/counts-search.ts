import { countFindings, placeMatches } from '#contract/curb-counts.ts'
import { enumParam, page, searchParams, text } from '#web/shell/search-params.ts'

export const countsSearch = searchParams({ page })

export const countSearch = searchParams({
  code: enumParam(countFindings),
  match: enumParam(placeMatches),
  search: text(),
  page,
  findings_page: page,
})
