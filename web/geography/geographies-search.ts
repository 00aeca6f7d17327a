export interface GeographiesSearch {
  /** The layer whose details are open. */
  layer?: string | undefined
}

export const geographiesSearch = (search: Record<string, unknown>): GeographiesSearch => (typeof search['layer'] === 'string' ? { layer: search['layer'] } : {})
