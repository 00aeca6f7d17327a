export interface TripFilesSearch {
  /** The import whose columns are being mapped, or of which is said what it does not tell. */
  map?: string | undefined
  page?: number | undefined
}

export const tripFilesSearch = (search: Record<string, unknown>): TripFilesSearch => ({
  ...(typeof search['map'] === 'string' ? { map: search['map'] } : {}),
  ...(typeof search['page'] === 'number' && search['page'] >= 2 && Number.isFinite(search['page']) ? { page: Math.floor(search['page']) } : {}),
})
