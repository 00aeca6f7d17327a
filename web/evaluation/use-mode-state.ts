import type { TFunction } from 'i18next'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import type { SpatialAggregation } from '#contract/spatial.ts'
import { distanceUnit } from '#contract/units.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { selectedPeriod, type Period, formatPeriod } from '#web/filters/period.ts'
import { formatNumber } from '#web/kit/format.ts'
import { dataColors } from '#web/kit/theme.ts'
import type { Comparison } from '#web/map-page/by-shape/compare/comparison.ts'
import type { MapMode } from '#web/map-page/by-shape/map-mode.ts'
import { mapParams } from '#web/map-page/by-shape/map-search.ts'
import { useMapPage } from '#web/map-page/use-map-page.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { aggregationName } from './aggregation-name.ts'
import { useModeMap } from './use-mode-map.ts'

/** Returns the URL of a map, its data, and what several parts of the page show. */
export function useModeState(region: Region, mode: MapMode) {
  const openedAt = useOpenedAt()
  const today = useToday(region.timezone)
  const scheme = useMapScheme()
  const { search, push: change, replace: adjust } = useSearchState(useMemo(() => mapParams(mode), [mode]))
  const page = useMapPage(search, adjust)
  const { start_date, end_date } = selectedPeriod(search, today)
  const period = useMemo(() => ({ start_date, end_date }), [start_date, end_date])
  const map = useModeMap({ mode, region, search, adjust, today })
  const { shapes, comparison } = map
  const aggregation = search.aggregation ?? mode.aggregations[0]!
  const selectedShapeName = useMemo(
    () => shapes?.find((shape) => shape.shape_uuid === search.shape)?.shape_name ?? null,
    [shapes, search.shape],
  )
  const filterName = mode.canFilterByShape && search.filter_by_shape ? selectedShapeName : null
  const minParkedMinutes = mode.key === 'parking' ? search.parked_duration : undefined
  return {
    region,
    mode,
    openedAt,
    today,
    scheme,
    ramp: dataColors[scheme].sequential[search.colors ?? 'tide'],
    search,
    /** Changes the URL: `change` adds a history entry, `adjust` replaces it. */
    change,
    adjust,
    page,
    period,
    map,
    ...useShownMap(mode, map),
    aggregation,
    selectedShapeName,
    /** The shape that filters the map. */
    filterName,
    minParkedMinutes,
    heading: useMapHeading({
      mode,
      aggregation,
      isMetric: region.isMetric,
      filterName,
      minParkedMinutes,
      comparison,
    }),
    fileName: mapFileName(mode, aggregation, period, comparison),
    selectedShapeId: search.shape ?? null,
    selectShape: useCallback((id: string | null) => change({ shape: id ?? undefined }), [change]),
  }
}

export type ModeState = ReturnType<typeof useModeState>

/** The part of a map that is drawn. Without facts, it shows only outlines, because zeros would be wrong. */
function useShownMap(
  mode: MapMode,
  { layers, layer, shapes, evaluation, comparison, playing, extent }: ReturnType<typeof useModeMap>,
) {
  // While the extent is loading, facts are assumed.
  const hasFacts = extent?.facts !== 0
  const shownMap = useMemo(
    () => ({
      mode,
      layers,
      layer,
      shapes,
      evaluation: hasFacts ? evaluation : null,
      comparison,
      playing: hasFacts ? playing : null,
    }),
    [mode, layers, layer, shapes, hasFacts, evaluation, comparison, playing],
  )
  return { hasFacts, shownMap }
}

interface MapHeadingInput extends Pick<Region, 'isMetric'> {
  mode: MapMode
  aggregation: SpatialAggregation
  filterName: string | null
  minParkedMinutes: number | undefined
  comparison: Comparison | null
}

/** The heading of a map, and its unit: of the measure (`unit`), and of what is shown, such as a change. */
function useMapHeading({
  mode,
  aggregation,
  isMetric,
  filterName,
  minParkedMinutes,
  comparison,
}: MapHeadingInput) {
  const { t, i18n } = useTranslation()
  const name =
    minParkedMinutes !== undefined && aggregation === mode.aggregations[0]
      ? t('evaluation:parked.heading', { hours: formatNumber(minParkedMinutes / 60) })
      : aggregationName(t, aggregation, filterName)
  const unit = getUnit(t, aggregation, isMetric)
  const unitSingular = getUnit(t, aggregation, isMetric, 1)
  const comparedPeriod = comparison && formatPeriod(comparison.period, i18n.language)
  const isChange = comparison !== null && comparison.kind !== 'side'
  const changeUnitKey = comparison?.kind === 'percent' ? 'percentUnit' : 'unit'
  const shownUnit = isChange
    ? t(`evaluation:compare.${changeUnitKey}`, { unit, period: comparedPeriod })
    : unit
  return {
    title: isChange ? t('evaluation:compare.heading', { heading: name }) : name,
    unit,
    unitSingular,
    shownUnit,
    shownUnitSingular: isChange ? shownUnit : unitSingular,
  }
}

/** Returns the unit after a number. `count` selects its grammatical number: 1 is the singular. */
const getUnit = (t: TFunction, aggregation: SpatialAggregation, isMetric: boolean, count = 2): string =>
  t(`evaluation:aggregation.${aggregation}.unit`, { unit: distanceUnit(isMetric), count })

/** Name of downloaded files without extension, such as `parking-average-2026-05-01-2026-05-31`. */
const mapFileName = (
  mode: MapMode,
  aggregation: SpatialAggregation,
  { start_date, end_date }: Period,
  comparison: Comparison | null,
): string =>
  [
    mode.key.replaceAll('_', '-'),
    aggregation.replaceAll('_', '-'),
    start_date,
    end_date,
    ...(comparison ? ['and', comparison.period.start_date, comparison.period.end_date] : []),
  ].join('-')
