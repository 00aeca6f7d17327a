import { flag, searchParams, tableParams, text, view } from '#web/shell/search-params.ts'

/** URL parameters of the geographies: layer (by default the primary one), shape, table and editor. */
export const geographiesSearch = searchParams({
  layer: text(),
  shape: text(),
  view,
  results: flag,
  edit: flag,
  ...tableParams,
})
