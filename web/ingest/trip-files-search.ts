import { importOrders, ImportStatus } from '#contract/ingest.ts'
import { oneOf, page, searchParams, sort, text, type SearchOf } from '#web/shell/search-params.ts'

export const importSort = sort(importOrders, '-created_time')

/** URL parameters of the list of imports. */
export const tripFilesSearch = searchParams({
  /** The import with the open mapping or form. */
  map: text(),
  search: text(),
  status: oneOf(ImportStatus.options),
  sort: importSort,
  page,
})
export type TripFilesSearch = SearchOf<typeof tripFilesSearch>
