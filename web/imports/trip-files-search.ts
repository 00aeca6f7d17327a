import { importOrders, ImportStatus } from '#contract/imports.ts'
import { enumParam, page, type SearchOf, searchParams, sort, text } from '#web/shell/search-params.ts'

/** Sort orders to choose from. */
export const shownOrders = [
  '-created_time',
  'created_time',
  'file_name',
  '-file_name',
  '-bytes',
  '-rows_read',
] as const

/** URL parameters of the list of imports. */
export const tripFilesSearch = searchParams({
  /** The import with an open mapping or form. */
  map: text(),
  search: text(),
  status: enumParam(ImportStatus.options),
  sort: sort(importOrders, '-created_time'),
  page,
})
export type TripFilesSearch = SearchOf<typeof tripFilesSearch>
