import { importOrders, ImportStatus } from '#contract/ingest.ts'
import { parseOrder } from '#web/kit/sort-rows.ts'

export interface TripFilesSearch {
  /** The import whose columns are being mapped, or of which is said what it does not tell. */
  map?: string | undefined
  page?: number | undefined
  /** Part of a file name. */
  search?: string | undefined
  status?: ImportStatus | undefined
  /** What the list is sorted by, where it is not the newest first. */
  sort?: ReturnType<typeof importSort>
}

export const importSort = parseOrder(importOrders, '-created_time')

export const tripFilesSearch = ({
  map,
  page,
  search,
  status,
  sort,
}: Record<string, unknown>): TripFilesSearch => {
  const knownStatus = ImportStatus.safeParse(status).data
  return {
    ...(typeof map === 'string' ? { map } : {}),
    ...(typeof page === 'number' && page >= 2 && Number.isFinite(page) ? { page: Math.floor(page) } : {}),
    // The address bar holds a search for 2026 as a number.
    ...((typeof search === 'string' && search !== '') || typeof search === 'number'
      ? { search: String(search) }
      : {}),
    ...(knownStatus ? { status: knownStatus } : {}),
    ...(importSort(sort) ? { sort: importSort(sort) } : {}),
  }
}
