import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { LocalDay } from '#contract/period.ts'
import type { ApiError } from '#web/data/api-error.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import { heatFilters } from './map-question.ts'
import type { MapSearch } from './map-search.ts'
import type { MapMode } from './modes/map-mode.ts'

/** The points that a map shows in place of values, while it does. */
export function useHeat(
  mode: MapMode,
  search: MapSearch,
  regionId: string,
  today: LocalDay,
): UseQueryResult<HeatPoint[], ApiError> {
  const { heat, parkingDurationFilter } = search
  return useQuery<HeatPoint[], ApiError>({
    enabled: mode.heat !== null && heat !== undefined,
    queryKey: ['heat', regionId, mode.key, heat, parkingDurationFilter, heatFilters(search, today)],
    queryFn: ({ signal }) => mode.heat!.load(search, regionId, today, signal),
    placeholderData: keepPreviousData,
  })
}
