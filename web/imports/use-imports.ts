import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { getTripsExtent } from '#contract/evaluation.ts'
import { listImports, type Import, type ImportRequirement } from '#contract/imports.ts'
import { listOperators } from '#contract/operators.ts'
import { endpointQueryKey, useEndpointQuery } from '#web/data/query.ts'
import type { TripFilesSearch } from './trip-files-search.ts'

/** Whether an import is waiting, running or being canceled. */
export const isBusy = ({ status }: Import): boolean =>
  status === 'queued' || status === 'running' || status === 'canceling'

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
  const busyCount = response.data?.items.filter(isBusy).length ?? 0
  const earlierBusyCount = useRef(busyCount)
  useEffect(() => {
    // Imported data must appear on the maps without a reload.
    if (busyCount < earlierBusyCount.current)
      for (const endpoint of [getTripsExtent, listOperators])
        void client.invalidateQueries({ queryKey: endpointQueryKey(endpoint) })
    earlierBusyCount.current = busyCount
  }, [busyCount, client])
  return response
}

/** Returns the text key of the answer that a file needs: to its only requirement, or to several. */
export const getRequirementKey = (asks: readonly ImportRequirement[]): string =>
  `imports:answer.${asks.length === 1 ? asks[0] : 'several'}`
