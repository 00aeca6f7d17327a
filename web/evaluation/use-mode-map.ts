import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listLayers } from '#contract/geography.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { querySpatial, getSpatialExtent, type SpatialResult } from '#contract/spatial.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { endpointQuery, useEndpointQuery } from '#web/data/query.ts'
import { compareEvaluations } from '#web/map-page/by-shape/compare/compare-evaluations.ts'
import type { Comparison } from '#web/map-page/by-shape/compare/comparison.ts'
import type { Evaluation } from '#web/map-page/by-shape/evaluation.ts'
import { isMissingData } from '#web/map-page/by-shape/is-missing-data.ts'
import { activeLayer, layerOptions } from '#web/map-page/layer-options.ts'
import { comparedPeriod, getDataCoverage } from '#web/filters/comparison.ts'
import type { Period } from '#web/filters/period.ts'
import type { MapSearch } from '#web/map-page/by-shape/map-search.ts'
import type { MapMode } from '#web/map-page/by-shape/map-mode.ts'
import { readEvaluation, type NamedShape } from '#web/map-page/by-shape/read-evaluation.ts'
import { usePlayback } from '#web/map-page/time/use-playback.ts'
import { useShapes } from '#web/map-page/use-shapes.ts'
import { formatMargin } from '#web/map-page/by-shape/format-value.ts'
import type { HeatPoint } from '#web/map/layers/heat-points.ts'
import { mapQuestion, heatFilters } from './map-question.ts'

/** Returns the query of the points of the heat map; it runs while heat is on. */
function useHeat(mode: MapMode, search: MapSearch, regionId: string, today: LocalDay) {
  const { heat, parked_duration } = search
  return useQuery<HeatPoint[], ApiError>({
    enabled: mode.heat !== null && heat !== undefined,
    queryKey: ['heat', regionId, mode.key, heat, parked_duration, heatFilters(search, today)],
    queryFn: ({ signal }) => mode.heat!.load(search, regionId, today, signal),
    placeholderData: keepPreviousData,
  })
}

/** Formats why a question is retried: it is being prepared, or the server is busy; null for other errors. */
function formatProgress(error: ApiError, t: TFunction): string | null {
  if (error.isPreparing) return error.message
  return error.retryAfter === null ? null : t('evaluation:busy', { seconds: error.retryAfter })
}

/** Placeholder in a question that is not requested because there is no layer. */
const noLayerId = '00000000-0000-0000-0000-000000000000'

const useEvaluation = (
  data: SpatialResult | undefined,
  shapes: readonly NamedShape[] | undefined,
  isMetric: boolean,
): Evaluation | null =>
  useMemo(() => (data && shapes ? readEvaluation(data, shapes, isMetric) : null), [data, shapes, isMetric])

interface ModeMapInput {
  mode: MapMode
  region: Region
  search: MapSearch
  /** Changes the URL. */
  adjust: (changes: Partial<MapSearch>) => void
  today: LocalDay
}

/** All requests of a map for the current URL. */
export function useModeMap({ mode, region, search, adjust, today }: ModeMapInput) {
  const { t } = useTranslation()
  const inRegion = { params: { region_id: region.regionId } }
  const layers = useEndpointQuery(listLayers, inRegion)
  const extent = useEndpointQuery(getSpatialExtent, { ...inRegion, query: { mode: mode.key } })
  const selectableLayers = useMemo(() => layerOptions(layers.data?.items ?? []), [layers.data])
  const layer = activeLayer(selectableLayers, search.layer)
  const shapes = useShapes(layer)
  const question = useMemo(
    () => mapQuestion(mode, search, layer?.shape_layer_uuid ?? noLayerId, today),
    [mode, search, layer, today],
  )
  const isRequested = layer !== null
  const spatialQuery = useEndpointQuery(
    querySpatial,
    { ...inRegion, body: question },
    { enabled: isRequested, placeholderData: keepPreviousData },
  )
  // A selected shape may filter the map. Its own figures come from the unfiltered question, often cached.
  const unfiltered = useEndpointQuery(
    querySpatial,
    { ...inRegion, body: { ...question, shape_filter: null } },
    { enabled: isRequested && search.shape !== undefined },
  )
  const earlierPeriod = comparedPeriod(search)
  const isCovered = !earlierPeriod || !extent.data || getDataCoverage(earlierPeriod, extent.data) !== 'none'
  const request = endpointQuery(querySpatial, { ...inRegion, body: { ...question, ...earlierPeriod } })
  // The result carries its period, so that old values are never shown under new dates.
  const earlierQuery = useQuery<{ result: SpatialResult; period: Period } | null, ApiError>({
    queryKey: ['compared', earlierPeriod && request.queryKey],
    queryFn: async (context) =>
      earlierPeriod && { result: await request.queryFn(context), period: earlierPeriod },
    enabled: isRequested && earlierPeriod !== null && isCovered,
    placeholderData: keepPreviousData,
  })
  const heatQuery = useHeat(mode, search, region.regionId, today)
  const isMissing = isMissingData(spatialQuery.error)
  const currentEvaluation = useEvaluation(spatialQuery.data, shapes.data, region.isMetric)
  const earlierEvaluation = useEvaluation(earlierQuery.data?.result, shapes.data, region.isMetric)
  const changeKind = search.percent ? 'percent' : 'change'
  const kind = search.side_by_side ? 'side' : changeKind
  const comparedWith = earlierPeriod && isCovered ? earlierQuery.data?.period : null
  const comparison = useMemo(
    (): Comparison | null =>
      earlierEvaluation && comparedWith ? { before: earlierEvaluation, period: comparedWith, kind } : null,
    [earlierEvaluation, comparedWith, kind],
  )
  const evaluation = useMemo(
    () =>
      currentEvaluation && comparison
        ? compareEvaluations(currentEvaluation, comparison.before)
        : currentEvaluation,
    [currentEvaluation, comparison],
  )
  const playback = usePlayback({
    region,
    question,
    search,
    adjust,
    isRequested,
    shapes: shapes.data ?? null,
    overall: currentEvaluation,
  })
  const failedQuery =
    [
      layers,
      shapes,
      isMissing ? null : spatialQuery,
      earlierPeriod ? earlierQuery : null,
      search.heat === undefined ? null : heatQuery,
    ].find((query) => query?.error) ?? null
  const progress = [spatialQuery, earlierQuery].flatMap(({ failureReason, isFetching }) =>
    isFetching && failureReason ? (formatProgress(failureReason, t) ?? []) : [],
  )[0]
  return {
    layers: layers.data?.items ?? null,
    layerOptions: selectableLayers,
    layer,
    shapes: shapes.data ?? null,
    extent: extent.data ?? null,
    question,
    evaluation,
    comparison,
    playing: playback.playing,
    selected: search.shape === undefined ? null : (unfiltered.data?.shape_data[search.shape] ?? null),
    heat: search.heat === undefined ? null : (heatQuery.data ?? null),
    /** Whether a response is loading; until then the results of the previous question are shown. */
    isWaiting:
      layers.isLoading ||
      shapes.isLoading ||
      spatialQuery.isFetching ||
      heatQuery.isFetching ||
      earlierQuery.isFetching ||
      playback.isWaiting,
    /** Progress of the preparation as text; null if no question is retried. */
    progress: progress ?? null,
    /** Why the response may take longer than usual. */
    slowReason:
      spatialQuery.isFetching && question.buffer
        ? t('evaluation:growing', { distance: formatMargin(question.buffer, region.isMetric) })
        : null,
    isStale:
      spatialQuery.isPlaceholderData ||
      spatialQuery.isLoading ||
      earlierQuery.isPlaceholderData ||
      earlierQuery.isLoading,
    /** Whether the response is empty, or there is nothing to request. */
    isEmpty: isMissing || (evaluation !== null && !evaluation.total && !comparison?.before.total),
    error: failedQuery?.error ?? playback.error,
    retry: () => (failedQuery ? void failedQuery.refetch() : playback.retry()),
  }
}
