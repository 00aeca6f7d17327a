import { useComputedColorScheme } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay } from '#contract/period.ts'
import { useRegion } from '#web/shell/region.tsx'
import { aggregationName } from './aggregation-name.ts'
import { ByDayButton } from './by-day-button.tsx'
import { EvaluationScreen } from './evaluation-screen.tsx'
import { chosenPeriod } from './period-presets.ts'
import { TripsEmpty } from './trips-empty.tsx'
import { TripsPanel } from './trips-panel.tsx'
import { tripsSearch } from './trips-search.ts'
import { countColumns, countFigures, periodText, tripsUnit, unitOf } from './trips-texts.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { useTripsMap } from './use-trips-map.ts'

/** Where trips start and end, per shape of a layer. */
export function TripsScreen() {
  const { t, i18n } = useTranslation()
  const region = useRegion()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const [at] = useState(() => Date.now())
  const today = localDay(new Date(at), region.timezone)
  const { search, change, adjust } = useSearchState(tripsSearch)
  const map = useTripsMap(region, search, today)
  const { layer, evaluation, extent } = map

  const aggregation = search.aggregation ?? 'origins'
  const shapeName = map.shapes?.find((shape) => shape.shape_uuid === search.shape)?.shape_name ?? null
  const heading = aggregationName(t, aggregation, shapeName)
  const period = chosenPeriod(search, today)
  const fileName = ['trips', aggregation.replaceAll('_', '-'), period.start_date, period.end_date].join('-')
  const points = map.heat
  const heat = useMemo(() => (search.heat ? { points, text: t(`evaluation:heat.${search.heat}`) } : null), [search.heat, points, t])
  const lacks = map.layers && map.options.length === 0 ? 'layers' : extent?.trips === 0 ? 'trips' : map.isEmpty ? 'matches' : null

  const [first, last] = [extent?.first_day, extent?.last_day]
  const isWhole = !first || !last || (period.start_date <= first && period.end_date >= last)
  const held = isWhole ? null : { period: periodText({ start_date: first, end_date: last }, i18n.language), show: () => change({ period: undefined, startDate: first, endDate: last }) }

  return (
    <EvaluationScreen
      title={t('evaluation:trips')} region={region} search={search} change={change} adjust={adjust} layers={map.layers} layer={layer} shapes={map.shapes} evaluation={evaluation} heading={heading}
      unitText={tripsUnit(t, evaluation?.unit ?? unitOf(aggregation), region.isMetric)} heat={heat} at={at}
      explanation={evaluation ? { ...evaluation, definition: t(`evaluation:aggregation.${aggregation}.definition`), period: periodText(period, i18n.language) } : null}
      panel={
        <TripsPanel
          regionId={region.regionId} today={today} scheme={scheme} search={search} change={change} options={map.options} layer={layer} shapes={map.shapes ?? []} shapeName={shapeName} extent={extent}
        />
      }
      countColumns={countColumns(t)} selectionFigures={countFigures(t, map.selected)} fileName={`${fileName}.csv`}
      resultActions={layer ? <ByDayButton question={map.question} fileName={`${fileName}-by-day.csv`} /> : null}
      status={{ isWaiting: map.isWaiting, isStale: map.isStale, error: map.error, retry: map.retry, empty: lacks ? <TripsEmpty regionId={region.regionId} lacks={lacks} held={held} /> : null }}
    />
  )
}
