import { curbFindingCodes, curbOutcomes, curbRecordKinds } from '#contract/curb-imports.ts'
import { enumParam, integer, page, searchParams, text, uuid } from '#web/shell/search-params.ts'

/** URL parameters of the list of imports. */
export const importsSearch = searchParams({ source: uuid, page })

/** URL parameters of the report of an import. */
export const importSearch = searchParams({
  outcome: enumParam(curbOutcomes),
  code: enumParam(curbFindingCodes),
  kind: enumParam(curbRecordKinds),
  search: text(),
  page,
  /** The row with open details. */
  row: integer(1, 1_000_000_000),
})
