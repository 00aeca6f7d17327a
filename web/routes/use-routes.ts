import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listLayers } from '#contract/geography.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import {
  getRouteDateRange,
  getRouteStatistics,
  getRouteVolumes,
  listRouteOperators,
  listRouteVehicleTypes,
} from '#contract/routes.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { computeRouteBins } from './route-bins.ts'
import { toRouteRows } from './route-row.ts'
import { toRoutesQuestion } from './routes-question.ts'
import type { RoutesSearch } from './routes-search.ts'

/** Requests the data of the routes map for the parameters of the URL. */
export function useRoutes({ regionId }: Region, search: RoutesSearch, today: LocalDay) {
  const inRegion = { params: { region_id: regionId } }
  const layers = useEndpointQuery(listLayers, inRegion)
  const range = useEndpointQuery(getRouteDateRange, inRegion)
  const types = useEndpointQuery(listRouteVehicleTypes, inRegion)
  const operators = useEndpointQuery(listRouteOperators, inRegion)
  const question = useMemo(() => toRoutesQuestion(search, today), [search, today])
  const volumes = useEndpointQuery(
    getRouteVolumes,
    { ...inRegion, query: question },
    { placeholderData: keepPreviousData },
  )
  const statistics = useEndpointQuery(
    getRouteStatistics,
    { ...inRegion, query: question },
    { placeholderData: keepPreviousData },
  )
  const direction = search.direction ?? 'both'
  const rows = useMemo(
    () => (volumes.data ? toRouteRows(volumes.data, direction) : null),
    [volumes.data, direction],
  )
  const { bins, binById } = useMemo(() => computeRouteBins(rows ?? []), [rows])
  const byId = useMemo(() => new Map((rows ?? []).map((row) => [row.id, row])), [rows])
  const failedQuery = [layers, volumes, statistics].find((query) => query.error) ?? null
  return {
    layers: layers.data?.items ?? null,
    range: range.data ?? null,
    vehicleTypes: types.data?.items ?? [],
    operators: operators.data?.items ?? [],
    question,
    volumes: volumes.data ?? null,
    statistics: statistics.data ?? null,
    rows,
    byId,
    bins,
    binById,
    isWaiting: layers.isLoading || volumes.isFetching,
    isStale: volumes.isPlaceholderData || volumes.isLoading,
    error: failedQuery?.error ?? null,
    retry: () => void failedQuery?.refetch(),
  }
}

export type RoutesState = ReturnType<typeof useRoutes>
