import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { querySpatial } from '#contract/spatial.ts'
import { endpointQuery } from '#web/data/query.ts'
import { EmptiedByFilter, useEmptyingFilter } from '#web/filters/emptying-filter.tsx'
import { findHiddenDays, formatPeriod } from '#web/filters/period.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import type { MapQuestion } from '#web/map-page/by-shape/map-mode.ts'
import type { MapSearch } from '#web/map-page/by-shape/map-search.ts'
import type { ModeState } from './use-mode-state.ts'

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
  state: ModeState
  /** What is missing: layers, any facts, or facts that match the filters. */
  lacks: 'layers' | 'facts' | 'matches'
}

/** Why the map shows nothing, and what to do next. */
export function MapEmpty({ state, lacks }: Props) {
  const { t, i18n } = useTranslation()
  const { mode, search, change, period } = state
  const { question, extent } = state.map
  const { regionId } = state.region
  const filter = useEmptyingFilter({
    isEmpty: lacks === 'matches',
    search,
    labels,
    query: (clear) =>
      endpointQuery(querySpatial, { params: { region_id: regionId }, body: without(question, clear) }),
    hasResults: ({ total }) => Boolean(total),
  })
  const texts = lacks === 'facts' ? `facts.${mode.key}` : lacks
  const page = lacks === 'layers' ? 'geographies' : mode.key === 'trips' ? 'trip-files' : 'data-health'
  if (filter) return <EmptiedByFilter filter={filter} change={change} />
  const hiddenDays = findHiddenDays(period, extent?.first_day, extent?.last_day)
  const action =
    lacks !== 'matches' ? (
      <Button component={Link} to={`/${encodeURIComponent(regionId)}/mobility/${page}`}>
        {t(`evaluation:empty.${texts}.action`)}
      </Button>
    ) : hiddenDays ? (
      <Button onClick={() => change({ period: undefined, ...hiddenDays })}>
        {t('evaluation:empty.matches.action')}
      </Button>
    ) : null
  const text =
    lacks === 'matches' && hiddenDays
      ? t('evaluation:empty.matches.held', { period: formatPeriod(hiddenDays, i18n.language) })
      : t(`evaluation:empty.${texts}.text`)
  return (
    <EmptyState title={t(`evaluation:empty.${texts}.title`)} action={action}>
      {text}
    </EmptyState>
  )
}
