import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import type { SpatialMode } from '#contract/spatial.ts'
import { FilterFields } from '#web/filters/filter-fields.tsx'
import { useOptionCounts } from '#web/filters/option-counts.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { DetailCard } from '#web/kit/detail-card.tsx'
import { formatNumber } from '#web/kit/format.ts'
import { CurrentLegend } from '#web/map-page/by-shape/current-legend.tsx'
import { CurrentResults } from '#web/map-page/by-shape/current-results.tsx'
import type { Comparison } from '#web/map-page/by-shape/compare/comparison.ts'
import { formatChangeWithPercent, formatValue, formatMargin } from '#web/map-page/by-shape/format-value.ts'
import { getCountKeys } from '#web/map-page/by-shape/map-mode.ts'
import { readCounts } from '#web/map-page/by-shape/read-evaluation.ts'
import { ShownMaps } from '#web/map-page/by-shape/shown-maps.tsx'
import { MapNotice } from '#web/map-page/map-notice.tsx'
import { MapPage } from '#web/map-page/map-page.tsx'
import { MapTimeAxis } from '#web/map-page/time/map-time-axis.tsx'
import { type AxisFocus, useAxisFocus } from '#web/map-page/time/use-axis-focus.ts'
import { pagePath, pageTitle } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { dailyFormats } from './daily-file.ts'
import { ShapeFilterButtons } from './fields/shape-filter-buttons.tsx'
import { MapEmpty } from './map-empty.tsx'
import { mapModes } from './modes/map-modes.ts'
import { panelFields } from './panel-fields.tsx'
import { type ModeState, useModeState } from './use-mode-state.ts'

/** A map of values by shape of a layer. */
export function ModeScreen({ mode }: { mode: SpatialMode }) {
  const region = useRegion()
  // Each region has its own map.
  return <ModeMap key={region.regionId} region={region} mode={mode} />
}

function ModeMap({ region, mode }: { region: Region; mode: SpatialMode }) {
  const { t } = useTranslation()
  const state = useModeState(region, mapModes[mode])
  const { search, page, period, map, shownMap, hasFacts } = state
  const focus = useAxisFocus()
  const hasAxis = shownMap.playing !== null || search.under !== undefined
  const canOpenAxis = map.layer !== null && hasFacts && !search.by && !map.comparison
  const lack = findLack(state)
  return (
    <MapPage
      page={page}
      selected={state.selectedShapeId}
      onSelect={state.selectShape}
      title={t(pageTitle(mode))}
      panel={<ModePanel state={state} />}
      map={<ModeMaps state={state} hasAxis={hasAxis} />}
      notice={
        <MapNotice
          isWaiting={map.isWaiting}
          progress={map.progress}
          reason={map.slowReason}
          error={map.error}
          onRetry={map.retry}
          empty={lack && <MapEmpty state={state} lacks={lack} />}
        />
      }
      corner={<ModeCorner state={state} />}
      axis={hasAxis ? <ModeAxis state={state} focus={focus} /> : null}
      period={period}
      isStale={map.isStale}
      resultActions={canOpenAxis ? <OpenAxisButton state={state} focus={focus} /> : null}
      results={(height) => <ModeResults state={state} height={height} />}
    />
  )
}

interface PartProps {
  state: ModeState
}

/** What a map needs to have values, if it is missing. */
function findLack({ map, hasFacts }: ModeState): 'layers' | 'facts' | 'matches' | null {
  if (map.layers && map.layerOptions.length === 0) return 'layers'
  if (!hasFacts) return 'facts'
  return map.isEmpty ? 'matches' : null
}

/** The panel of a map: the mode's fields in its order. */
function ModePanel({ state }: PartProps) {
  const { t } = useTranslation()
  const { region, mode, search, map, period } = state
  const operators = useOperators(region.regionId)
  const input = {
    ...state,
    t,
    layerOptions: map.layers && map.layerOptions,
    layer: map.layer,
    shapes: map.shapes ?? [],
    shapeName: state.filterName,
    extent: map.extent,
    operators: operators.data?.items,
    operatorsError: operators.error?.message,
    counts: useOptionCounts(region.regionId, mode.filterMeasure, period, search),
  }
  return (
    <FilterFields
      filters={mode.fields.map((name) => panelFields[name](input))}
      state={search}
      onChange={state.change}
    />
  )
}

/** The map, or two of them side by side. */
function ModeMaps({ state, hasAxis }: PartProps & { hasAxis: boolean }) {
  const { t } = useTranslation()
  const { region, mode, search, map, shownMap, period, ramp, scheme, heading, page, adjust, openedAt } = state
  return (
    <ShownMaps
      title={t(pageTitle(mode.key))}
      region={region}
      search={search}
      map={shownMap}
      period={period}
      ramp={ramp}
      scheme={scheme}
      heat={search.heat ? (map.heat ?? noHeat) : null}
      unitText={heading.shownUnit}
      unitSingular={heading.shownUnitSingular}
      isSmall={page.isSmall}
      isPanelOpen={page.isPanelOpen}
      hasAxis={hasAxis}
      isDimmed={map.isStale}
      onViewChange={(view) => adjust({ view })}
      onSelect={state.selectShape}
      at={openedAt}
    />
  )
}

/** Points of a heat map that is still loading. */
const noHeat: never[] = []

/** The card of the selected shape, and the legend. */
function ModeCorner({ state }: PartProps) {
  const { t, i18n } = useTranslation()
  const { region, mode, search, map, shownMap, page, period, aggregation, heading } = state
  const { selectedShapeName, minParkedMinutes } = state
  // Side by side, maps are narrow: the legend starts collapsed.
  const isSideBySide = map.comparison?.kind === 'side'
  const shownPeriod = formatPeriod(period, i18n.language)
  const buffer = map.evaluation?.method.buffer
  return (
    <>
      {selectedShapeName === null ? null : (
        <DetailCard
          // The figures are those of the entire period, even while a single hour or day is shown.
          name={shownMap.playing ? `${selectedShapeName}, ${shownPeriod}` : selectedShapeName}
          figures={
            map.comparison
              ? getComparedFigures(t, i18n.language, state, map.comparison)
              : getCountFigures(t, state)
          }
          actions={
            mode.canFilterByShape ? (
              <ShapeFilterButtons search={search} change={state.change} />
            ) : minParkedMinutes === undefined ? null : (
              <LiveMapButton regionId={region.regionId} search={search} minParkedMinutes={minParkedMinutes} />
            )
          }
          onClear={() => state.selectShape(null)}
        />
      )}
      <CurrentLegend
        map={shownMap}
        heading={heading.title}
        unitText={heading.shownUnit}
        explanation={{
          definition: t(`evaluation:aggregation.${aggregation}.definition`),
          period: shownPeriod,
          ...(buffer ? { buffer: formatMargin(buffer, region.isMetric) } : {}),
        }}
        ramp={state.ramp}
        heat={
          search.heat ? { text: t(`evaluation:heat.${search.heat}`), points: map.heat?.length ?? null } : null
        }
        isOpen={page.legendChoice ?? !(page.isSmall || isSideBySide)}
        onOpen={page.setIsLegendOpen}
      />
    </>
  )
}

/** Returns the figures of the selected shape in both periods, and the change. */
function getComparedFigures(
  t: TFunction,
  language: string,
  { map, search, period }: ModeState,
  comparison: Comparison,
) {
  const unit = map.evaluation?.unit ?? 'trips'
  const compared = map.evaluation?.byShape.get(search.shape ?? '')?.compared
  return [
    {
      key: 'now',
      label: formatPeriod(period, language),
      value: compared ? formatValue(compared.now, unit) : null,
    },
    {
      key: 'before',
      label: formatPeriod(comparison.period, language),
      value: compared ? formatValue(compared.before, unit) : null,
    },
    {
      key: 'change',
      label: t('evaluation:compare.change'),
      value: compared ? formatChangeWithPercent(compared, unit) : null,
    },
  ]
}

/** Returns the counts of the selected shape. */
function getCountFigures(t: TFunction, { mode, aggregation, map: { selected } }: ModeState) {
  const counts = selected && readCounts(selected.counts)
  return getCountKeys(mode, aggregation).map((count) => ({
    key: count,
    label: t(`evaluation:counts.${mode.key}.${count}`),
    value: counts && formatNumber(counts[count] ?? 0),
  }))
}

interface AxisPartProps extends PartProps {
  focus: AxisFocus
}

/** The time axis, with the values of the selected shape during a playback. */
function ModeAxis({ state, focus }: AxisPartProps) {
  const { map, shownMap, search, heading } = state
  const { shapes, playing } = map
  const area = useMemo(() => {
    const shape = shapes?.find((candidate) => candidate.shape_uuid === search.shape)
    const steps = shape ? playing?.playback.getShapeSteps(shape.shape_uuid) : null
    return shape && steps ? { name: shape.shape_name, steps } : null
  }, [shapes, search.shape, playing])
  return (
    <MapTimeAxis
      key={shownMap.playing?.playback.by}
      region={state.region}
      period={state.period}
      playing={shownMap.playing}
      unitText={heading.unit}
      unitSingular={heading.unitSingular}
      focus={focus}
      area={area}
      search={search}
      change={state.change}
    />
  )
}

/** The table of values, with downloads of it and of values by day. */
function ModeResults({ state, height }: PartProps & { height: number }) {
  const { t, i18n } = useTranslation()
  const { region, mode, map, search, period, heading, fileName } = state
  return (
    <CurrentResults
      map={state.shownMap}
      regionId={region.regionId}
      heading={heading.title}
      unitText={heading.unit}
      period={period}
      fileName={fileName}
      moreFormats={dailyFormats({
        t,
        language: i18n.language,
        region,
        mode,
        layer: map.layer,
        unitText: heading.unit,
        question: map.question,
        periods: map.comparison ? [period, map.comparison.period] : [period],
        fileName,
      })}
      isWaiting={map.isWaiting}
      height={height}
      selected={search.shape}
      onSelect={state.selectShape}
      state={search}
      onStateChange={state.change}
    />
  )
}

interface LiveMapButtonProps extends Pick<ModeState, 'search'> {
  regionId: string
  minParkedMinutes: number
}

/** Opens the live map of the vehicles that have been parked for at least that time. */
function LiveMapButton({ regionId, search, minParkedMinutes }: LiveMapButtonProps) {
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
          parked: minParkedMinutes,
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

function OpenAxisButton({ state: { search, change }, focus: { buttonRef, passFocusToAxis } }: AxisPartProps) {
  const { t } = useTranslation()
  return (
    <Button
      ref={buttonRef}
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlayerPlay size={16} />}
      onClick={() => {
        passFocusToAxis()
        change({ by: search.under ? 'day' : 'hour_of_day' })
      }}
    >
      {t('evaluation:time.open')}
    </Button>
  )
}
