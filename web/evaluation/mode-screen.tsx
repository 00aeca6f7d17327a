import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listOperators } from '#contract/operators.ts'
import { localDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { SpatialAggregation, SpatialMode, TimeBucket } from '#contract/spatial.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FilterFields } from '#web/filters/filter-fields.tsx'
import { useOptionCounts } from '#web/filters/option-counts.ts'
import { formatNumber } from '#web/kit/format.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { pagePath, pageTitle } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { EvaluationScreen } from './evaluation-screen.tsx'
import { dailyFormats } from './daily-file.ts'
import { getCountKeys, type MapMode } from '#web/map-page/by-shape/map-mode.ts'
import { mapModes } from './modes/map-modes.ts'
import { chosenPeriod, type Period, periodText } from '#web/filters/period.ts'
import type { EvaluationRow, ShownUnit } from '#web/map-page/by-shape/evaluation.ts'
import { readCounts } from '#web/map-page/by-shape/read-evaluation.ts'
import { MapTimeAxis } from '#web/map-page/time/map-time-axis.tsx'
import { type AxisFocus, useAxisFocus } from '#web/map-page/time/use-axis-focus.ts'
import { useModeMap } from './use-mode-map.ts'
import { MapEmpty } from './map-empty.tsx'
import { panelFields, type PanelInput } from './panel-fields.tsx'
import type { TFunction } from 'i18next'
import { distanceUnit } from '#contract/units.ts'
import { changeText, formatValue, marginText } from '#web/map-page/by-shape/format-value.ts'
import { type HeatPlace, mapParams, type MapSearch } from '#web/map-page/by-shape/map-search.ts'
import { aggregationName } from './aggregation-name.ts'
import { ShapeFilterButtons } from './fields/shape-filter-buttons.tsx'
import type { Comparison } from '#web/map-page/by-shape/compare/comparison.ts'

/** The unit of an aggregation after a number. */
const unitText = (t: TFunction, aggregation: SpatialAggregation, isMetric: boolean, count = 2): string =>
  t(`evaluation:aggregation.${aggregation}.unit`, { unit: distanceUnit(isMetric), count })

/** The figures of a selected area in both periods, and the change. */
const comparedFigures = (
  t: TFunction,
  unit: ShownUnit,
  row: EvaluationRow | undefined,
  periods: { now: string; before: string },
) => {
  const compared = row?.compared
  return [
    { key: 'now', label: periods.now, value: compared ? formatValue(compared.now, unit) : null },
    { key: 'before', label: periods.before, value: compared ? formatValue(compared.before, unit) : null },
    {
      key: 'change',
      label: t('evaluation:compare.change'),
      value: compared ? changeText(compared, unit) : null,
    },
  ]
}

/** The counts of a selected area. */
function countFigures(
  t: TFunction,
  mode: MapMode,
  aggregation: SpatialAggregation,
  selected: ReturnType<typeof useModeMap>['selected'],
) {
  const counts = selected && readCounts(selected.counts)
  return getCountKeys(mode, aggregation).map((count) => ({
    key: count,
    label: t(`evaluation:counts.${mode.key}.${count}`),
    value: counts && formatNumber(counts[count] ?? 0),
  }))
}

function mapFileName(
  mode: MapMode,
  aggregation: SpatialAggregation,
  { start_date, end_date }: Period,
  comparison: Comparison | null,
): string {
  return [
    mode.key.replaceAll('_', '-'),
    aggregation.replaceAll('_', '-'),
    start_date,
    end_date,
    ...(comparison ? ['and', comparison.period.start_date, comparison.period.end_date] : []),
  ].join('-')
}

/** What a map needs to have values, if it is missing. */
function findLack(
  { layers, options, isEmpty }: ReturnType<typeof useModeMap>,
  hasFacts: boolean,
): 'layers' | 'facts' | 'matches' | null {
  if (layers && options.length === 0) return 'layers'
  if (!hasFacts) return 'facts'
  return isEmpty ? 'matches' : null
}

/** All days with data, if some of them are outside of a period. */
function findStoredDays(
  { start_date, end_date }: Period,
  extent: ReturnType<typeof useModeMap>['extent'],
): Period | null {
  const [first, last] = [extent?.first_day, extent?.last_day]
  return !first || !last || (start_date <= first && end_date >= last)
    ? null
    : { start_date: first, end_date: last }
}

/** The panel of a map: the mode's fields in its order. */
function ModePanel(part: Omit<PanelInput, 't' | 'operators' | 'counts'>) {
  const { t } = useTranslation()
  const query = { region_id: part.region.regionId, size: 300 }
  const { mode, region, search, today } = part
  const input = {
    ...part,
    t,
    operators: useEndpointQuery(listOperators, { query }).data?.items,
    counts: useOptionCounts(region.regionId, mode.counted, chosenPeriod(search, today), search),
  }
  return (
    <FilterFields
      filters={input.mode.fields.map((name) => panelFields[name](input))}
      state={input.search}
      onChange={input.change}
    />
  )
}

interface EmptyModeMapProps {
  region: Region
  mode: MapMode
  lack: NonNullable<ReturnType<typeof findLack>>
  map: ReturnType<typeof useModeMap>
  period: Period
  search: MapSearch
  change: (part: Partial<MapSearch>) => void
}

/** Says why a map has no values, and offers the days with data if they are outside of the period. */
function EmptyModeMap({ region, mode, lack, map, period, search, change }: EmptyModeMapProps) {
  const { i18n } = useTranslation()
  const storedDays = findStoredDays(period, map.extent)
  return (
    <MapEmpty
      regionId={region.regionId}
      map={mode.key}
      lacks={lack}
      dataPeriod={
        storedDays && {
          period: periodText(storedDays, i18n.language),
          show: () => change({ period: undefined, ...storedDays }),
        }
      }
      search={search}
      change={change}
      question={map.question}
    />
  )
}

/** A map of values by shape of a layer. */
export function ModeScreen({ mode }: { mode: SpatialMode }) {
  const region = useRegion()
  // Each region has its own map.
  return <ModeMap key={region.regionId} region={region} mode={mode} />
}

function ModeMap({ region, mode: key }: { region: Region; mode: SpatialMode }) {
  const { t, i18n } = useTranslation()
  const mode = mapModes[key]
  const scheme = useMapScheme()
  const [at] = useState(() => Date.now())
  const today = localDay(new Date(at), region.timezone)
  const { search, push: change, replace: adjust } = useSearchState(useMemo(() => mapParams(mode), [mode]))
  const { start_date, end_date } = chosenPeriod(search, today)
  const period = useMemo(() => ({ start_date, end_date }), [start_date, end_date])
  const map = useModeMap({ mode, region, search, adjust, today })
  const { layer, layers, shapes, evaluation, extent, comparison } = map

  const aggregation = search.aggregation ?? mode.aggregations[0]!
  const title = t(pageTitle(mode.key))
  const shapeName =
    mode.canFilterByShape && search.filter_by_shape
      ? (shapes?.find((shape) => shape.shape_uuid === search.shape)?.shape_name ?? null)
      : null
  const parkedFor = mode.key === 'parking' ? search.parked_duration : undefined
  const { heading, unit, unitOne, shownUnit, shownUnitOne } = useMapText({
    mode,
    aggregation,
    isMetric: region.isMetric,
    shapeName,
    parkedFor,
    comparison,
  })
  const fileName = mapFileName(mode, aggregation, period, comparison)
  const daily = dailyFormats({
    t,
    language: i18n.language,
    region,
    mode,
    layer,
    unitText: unit,
    question: map.question,
    periods: comparison ? [period, comparison.period] : [period],
    fileName,
  })
  const focus = useAxisFocus()
  const heat = useShownHeat(map.heat, search.heat)
  // A map without any facts shows outlines only, because zeros would be wrong.
  const hasFacts = extent?.facts !== 0
  const shown = useShownMap(mode, map, hasFacts)
  const area = useSelectedArea(map, search.shape)
  const lack = findLack(map, hasFacts)

  const selectionActions = mode.canFilterByShape ? (
    <ShapeFilterButtons search={search} change={change} />
  ) : parkedFor === undefined ? null : (
    <LiveMapButton regionId={region.regionId} search={search} parkedFor={parkedFor} />
  )

  return (
    <EvaluationScreen
      title={title}
      region={region}
      search={search}
      change={change}
      adjust={adjust}
      map={shown}
      heading={heading}
      unitText={shownUnit}
      unitOne={shownUnitOne}
      valueUnit={unit}
      period={period}
      heat={heat}
      at={at}
      explanation={{
        definition: t(`evaluation:aggregation.${aggregation}.definition`),
        period: periodText(period, i18n.language),
        ...(evaluation?.method.buffer
          ? { buffer: marginText(evaluation.method.buffer, region.isMetric) }
          : {}),
      }}
      panel={
        <ModePanel
          mode={mode}
          region={region}
          today={today}
          scheme={scheme}
          search={search}
          change={change}
          options={layers ? map.options : null}
          layer={layer}
          shapes={shapes ?? []}
          shapeName={shapeName}
          extent={extent}
        />
      }
      axis={
        shown.playing || search.under ? (
          <MapTimeAxis
            key={shown.playing?.playback.by}
            region={region}
            period={period}
            playing={shown.playing}
            unitText={unit}
            unitOne={unitOne}
            focus={focus}
            area={area}
            search={search}
            change={change}
          />
        ) : null
      }
      selectionFigures={
        comparison
          ? comparedFigures(t, evaluation?.unit ?? 'trips', evaluation?.byShape.get(search.shape ?? ''), {
              now: periodText(period, i18n.language),
              before: periodText(comparison.period, i18n.language),
            })
          : countFigures(t, mode, aggregation, map.selected)
      }
      selectionActions={selectionActions}
      fileName={fileName}
      moreFormats={daily}
      resultActions={
        layer && hasFacts && !search.by && !comparison ? (
          <OpenAxisButton focus={focus} by={search.under ? 'day' : 'hour_of_day'} change={change} />
        ) : null
      }
      status={{
        isWaiting: map.isWaiting,
        progress: map.progress,
        reason: map.slowReason,
        isStale: map.isStale,
        error: map.error,
        retry: map.retry,
        empty: lack && (
          <EmptyModeMap
            region={region}
            mode={mode}
            lack={lack}
            map={map}
            period={period}
            search={search}
            change={change}
          />
        ),
      }}
    />
  )
}

interface MapTextInput {
  mode: MapMode
  aggregation: SpatialAggregation
  isMetric: boolean
  /** The shape that filters the map. */
  shapeName: string | null
  /** Minimum duration of parking, in minutes. */
  parkedFor: number | undefined
  comparison: Comparison | null
}

/** The heading of a map, and its unit: of the measure (`unit`), and of what is shown, such as a change. */
function useMapText({ mode, aggregation, isMetric, shapeName, parkedFor, comparison }: MapTextInput) {
  const { t, i18n } = useTranslation()
  const name =
    parkedFor !== undefined && aggregation === mode.aggregations[0]
      ? t('evaluation:parked.heading', { hours: formatNumber(parkedFor / 60) })
      : aggregationName(t, aggregation, shapeName)
  const unit = unitText(t, aggregation, isMetric)
  const unitOne = unitText(t, aggregation, isMetric, 1)
  const before = comparison && periodText(comparison.period, i18n.language)
  const isChange = comparison !== null && comparison.kind !== 'side'
  const shownUnit = !isChange
    ? unit
    : comparison.kind === 'percent'
      ? t('evaluation:compare.percentUnit', { period: before })
      : t('evaluation:compare.unit', { unit, period: before })
  return {
    heading: isChange ? t('evaluation:compare.heading', { heading: name }) : name,
    unit,
    unitOne,
    shownUnit,
    shownUnitOne: isChange ? shownUnit : unitOne,
  }
}

/** The part of a map that is drawn: without values if there are no facts. */
function useShownMap(
  mode: MapMode,
  { layers, layer, shapes, evaluation, comparison, playing }: ReturnType<typeof useModeMap>,
  hasFacts: boolean,
) {
  return useMemo(
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
}

/** The selected shape with its values over time, during a playback. */
function useSelectedArea({ shapes, playing }: ReturnType<typeof useModeMap>, shapeId: string | undefined) {
  return useMemo(() => {
    const shape = shapes?.find((candidate) => candidate.shape_uuid === shapeId)
    const steps = shape ? playing?.playback.getShapeSteps(shape.shape_uuid) : null
    return shape && steps ? { name: shape.shape_name, steps } : null
  }, [shapes, shapeId, playing])
}

/** The points of the heat map and their name, if it is on. */
function useShownHeat(points: ReturnType<typeof useModeMap>['heat'], place: HeatPlace | undefined) {
  const { t } = useTranslation()
  return useMemo(() => (place ? { points, text: t(`evaluation:heat.${place}`) } : null), [place, points, t])
}

interface LiveMapButtonProps {
  regionId: string
  search: MapSearch
  /** Minimum duration of parking, in minutes. */
  parkedFor: number
}

/** Opens the live map of the vehicles that have been parked for as long. */
function LiveMapButton({ regionId, search, parkedFor }: LiveMapButtonProps) {
  const { t } = useTranslation()
  return (
    <Button
      mt={8}
      size="compact-xs"
      variant="default"
      component={Link}
      to={pagePath(regionId, 'live')}
      search={
        {
          parked: parkedFor,
          operators: search.operators,
          vehicle_types: search.vehicle_types,
          results: true,
        } as never
      }
    >
      {t('evaluation:parked.live')}
    </Button>
  )
}

interface OpenAxisButtonProps {
  focus: AxisFocus
  by: TimeBucket
  change: (part: Partial<MapSearch>) => void
}

/** Opens the time axis. */
function OpenAxisButton({ focus: { takeButton, toAxis }, by, change }: OpenAxisButtonProps) {
  const { t } = useTranslation()
  return (
    <Button
      ref={takeButton}
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlayerPlay size={16} />}
      onClick={() => {
        toAxis()
        change({ by })
      }}
    >
      {t('evaluation:time.open')}
    </Button>
  )
}
