import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { querySpatial, type SpatialMode } from '#contract/spatial.ts'
import { endpointQuery } from '#web/data/query.ts'
import { EmptiedByFilter, useEmptyingFilter } from '#web/filters/emptying-filter.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import type { MapQuestion } from '#web/map-page/by-shape/map-mode.ts'
import type { MapSearch } from '#web/map-page/by-shape/map-search.ts'

/** Filters that can leave no results, in the order of the panel. */
const labels = {
  filter_by_shape: 'filters:shape.label',
  days: 'filters:weekdays',
  hours: 'filters:hours.label',
  parked_duration: 'evaluation:parked.label',
  operators: 'filters:operators.label',
  vehicle_types: 'filters:vehicleType.label',
} as const

/** The parts of the question that reset each filter. */
const unfiltered: Readonly<Record<keyof typeof labels, Partial<MapQuestion>>> = {
  filter_by_shape: { shape_filter: null },
  days: { days: [] },
  hours: { hour_filters: [0, 23] },
  parked_duration: { parked_duration: 0 },
  operators: { operators: [] },
  vehicle_types: { vehicle_types: [] },
}
const without = (question: MapQuestion, clear: Partial<MapSearch>): MapQuestion =>
  Object.assign(
    {},
    question,
    ...Object.keys(clear).map((key) => unfiltered[key as keyof typeof labels]),
  ) as MapQuestion

interface Props {
  regionId: string
  map: SpatialMode
  /** What is missing: layers, any facts, or facts that match the filters. */
  lacks: 'layers' | 'facts' | 'matches'
  /** The period of all facts and a function that shows it; null if it is already shown. */
  dataPeriod: { period: string; show: () => void } | null
  search: MapSearch
  change: (part: Partial<MapSearch>) => void
  question: MapQuestion
}

/** Why the map shows nothing, and what to do next. */
export function MapEmpty({ regionId, map, lacks, dataPeriod, search, change, question }: Props) {
  const { t } = useTranslation()
  const filter = useEmptyingFilter({
    isEmpty: lacks === 'matches',
    search,
    labels,
    query: (clear) =>
      endpointQuery(querySpatial, { params: { region_id: regionId }, body: without(question, clear) }),
    hasResults: ({ total }) => Boolean(total),
  })
  const texts = lacks === 'facts' ? `facts.${map}` : lacks
  const page = lacks === 'layers' ? 'geographies' : map === 'trips' ? 'trip-files' : 'data-health'
  if (filter) return <EmptiedByFilter filter={filter} change={change} />
  const action =
    lacks !== 'matches' ? (
      <Button component={Link} to={`/${encodeURIComponent(regionId)}/mobility/${page}`}>
        {t(`evaluation:empty.${texts}.action`)}
      </Button>
    ) : dataPeriod ? (
      <Button onClick={dataPeriod.show}>{t('evaluation:empty.matches.action')}</Button>
    ) : null
  const text =
    lacks === 'matches' && dataPeriod
      ? t('evaluation:empty.matches.held', { period: dataPeriod.period })
      : t(`evaluation:empty.${texts}.text`)
  return (
    <EmptyState title={t(`evaluation:empty.${texts}.title`)} action={action}>
      {text}
    </EmptyState>
  )
}
