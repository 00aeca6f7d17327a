import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { getTripsExtent } from '#contract/evaluation.ts'
import { listImports, type Import, type ImportRequirement } from '#contract/imports.ts'
import { listOperators } from '#contract/operators.ts'
import { endpointQueryKey, useEndpointQuery } from '#web/data/query.ts'
import type { TripFilesSearch } from './trip-files-search.ts'

/** Tests whether an import is waiting, running or being canceled. */
export const isBusy = (one: Import): boolean =>
  one.status === 'queued' || one.status === 'running' || one.status === 'canceling'

/** Number of imports on a page. */
export const importsPerPage = 50

/** Returns the imports of a region, polled every second while one is running. */
export function useImports(regionId: string, { page = 1, sort, status, search }: TripFilesSearch) {
  const client = useQueryClient()
  const response = useEndpointQuery(
    listImports,
    {
      params: { region_id: regionId },
      query: { page, size: importsPerPage, order_by: sort, status, search },
    },
    {
      placeholderData: keepPreviousData,
      // Another user's import may have ended since the last poll.
      staleTime: 0,
      refetchInterval: (query) => (query.state.data?.items.some(isBusy) ? 1000 : false),
    },
  )
  const busy = response.data?.items.filter(isBusy).length ?? 0
  const before = useRef(busy)
  useEffect(() => {
    // Imported data must appear on the maps without a reload.
    if (busy < before.current)
      for (const endpoint of [getTripsExtent, listOperators])
        void client.invalidateQueries({ queryKey: endpointQueryKey(endpoint) })
    before.current = busy
  }, [busy, client])
  return response
}

/** Returns the text key of what a file waits for: of the single requirement, or a general one. */
export const requirementKey = (asks: readonly ImportRequirement[]): string =>
  `imports:answer.${asks.length === 1 ? asks[0] : 'several'}`
