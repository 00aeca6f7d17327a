import { flag, searchParams, tableParams, text, view } from '#web/shell/search-params.ts'

/** URL parameters of the editor of curb zones. */
export const zonesSearch = searchParams({
  /** The zone that is selected at first. */
  zone: text(200),
  view,
  results: flag,
  ...tableParams,
})
