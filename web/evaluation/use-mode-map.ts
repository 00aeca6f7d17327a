import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
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

/** Returns the points of the heat map, if it is on. */
function useHeat(
  mode: MapMode,
  search: MapSearch,
  regionId: string,
  today: LocalDay,
): UseQueryResult<HeatPoint[], ApiError> {
  const { heat, parked_duration } = search
  return useQuery<HeatPoint[], ApiError>({
    enabled: mode.heat !== null && heat !== undefined,
    queryKey: ['heat', regionId, mode.key, heat, parked_duration, heatFilters(search, today)],
    queryFn: ({ signal }) => mode.heat!.load(search, regionId, today, signal),
    placeholderData: keepPreviousData,
  })
}

/** Progress while a question is retried: that of its preparation, or the next attempt on a busy server. */
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
  const options = useMemo(() => layerOptions(layers.data?.items ?? []), [layers.data])
  const layer = activeLayer(options, search.layer)
  const shapes = useShapes(layer)

  const question = useMemo(
    () => mapQuestion(mode, search, layer?.shape_layer_uuid ?? noLayerId, today),
    [mode, search, layer, today],
  )
  const isRequested = layer !== null
  const spatial = useEndpointQuery(
    querySpatial,
    { ...inRegion, body: question },
    { enabled: isRequested, placeholderData: keepPreviousData },
  )
  // A selected shape may filter the map. Its own figures come from the unfiltered question, which is usually
  // cached.
  const unfiltered = useEndpointQuery(
    querySpatial,
    { ...inRegion, body: { ...question, shape_filter: null } },
    { enabled: isRequested && search.shape !== undefined },
  )
  const period = comparedPeriod(search)
  const isCovered = !period || !extent.data || getDataCoverage(period, extent.data) !== 'none'
  const request = endpointQuery(querySpatial, { ...inRegion, body: { ...question, ...period } })
  // The result carries its period, so that old values are never shown under new dates.
  const before = useQuery<{ result: SpatialResult; period: Period } | null, ApiError>({
    queryKey: ['compared', period && request.queryKey],
    queryFn: async (context) => period && { result: await request.queryFn(context), period },
    enabled: isRequested && period !== null && isCovered,
    placeholderData: keepPreviousData,
  })
  const heat = useHeat(mode, search, region.regionId, today)

  const isMissing = isMissingData(spatial.error)
  const now = useEvaluation(spatial.data, shapes.data, region.isMetric)
  const earlier = useEvaluation(before.data?.result, shapes.data, region.isMetric)
  const kind = search.side_by_side ? 'side' : search.percent ? 'percent' : 'change'
  const comparedWith = period && isCovered ? before.data?.period : null
  const comparison = useMemo(
    (): Comparison | null =>
      earlier && comparedWith ? { before: earlier, period: comparedWith, kind } : null,
    [earlier, comparedWith, kind],
  )
  const evaluation = useMemo(
    () => (now && comparison ? compareEvaluations(now, comparison.before) : now),
    [now, comparison],
  )
  const time = usePlayback({
    region,
    question,
    search,
    adjust,
    isRequested,
    shapes: shapes.data ?? null,
    overall: now,
  })

  const failed =
    [
      layers,
      shapes,
      isMissing ? null : spatial,
      period ? before : null,
      search.heat === undefined ? null : heat,
    ].find((query) => query?.error) ?? null
  const progress = [spatial, before].flatMap(({ failureReason, isFetching }) =>
    isFetching && failureReason ? (formatProgress(failureReason, t) ?? []) : [],
  )[0]
  return {
    layers: layers.data?.items ?? null,
    options,
    layer,
    shapes: shapes.data ?? null,
    extent: extent.data ?? null,
    question,
    evaluation,
    comparison,
    playing: time.playing,
    selected: search.shape === undefined ? null : (unfiltered.data?.shape_data[search.shape] ?? null),
    heat: search.heat === undefined ? null : (heat.data ?? null),
    /** Whether a response is loading; until then the results of the previous question are shown. */
    isWaiting:
      layers.isLoading ||
      shapes.isLoading ||
      spatial.isFetching ||
      heat.isFetching ||
      before.isFetching ||
      time.isWaiting,
    /** Progress of the preparation. */
    progress: progress ?? null,
    /** Why the response may take longer than usual. */
    slowReason:
      spatial.isFetching && question.buffer
        ? t('evaluation:growing', { distance: formatMargin(question.buffer, region.isMetric) })
        : null,
    isStale: spatial.isPlaceholderData || spatial.isLoading || before.isPlaceholderData || before.isLoading,
    /** Whether the response is empty, or there is nothing to request. */
    isEmpty: isMissing || (evaluation !== null && !evaluation.total && !comparison?.before.total),
    error: failed?.error ?? time.error,
    retry: () => (failed ? void failed.refetch() : time.retry()),
  }
}
