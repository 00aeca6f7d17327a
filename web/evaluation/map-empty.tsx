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
const resetFields: Readonly<Record<keyof typeof labels, Partial<MapQuestion>>> = {
  filter_by_shape: { shape_filter: null },
  days: { days: [] },
  hours: { hour_filters: [0, 23] },
  parked_duration: { parked_duration: 0 },
  operators: { operators: [] },
  vehicle_types: { vehicle_types: [] },
}
const withoutFilters = (question: MapQuestion, clear: Partial<MapSearch>): MapQuestion =>
  Object.assign(
    {},
    question,
    ...Object.keys(clear).map((key) => resetFields[key as keyof typeof labels]),
  ) as MapQuestion

interface Props {
  state: ModeState
  /** What is missing: layers, any facts, or facts that match the filters. */
  lacks: 'layers' | 'facts' | 'matches'
}

/** Why the map shows nothing, and what to do next. */
export function MapEmpty({ state, lacks }: Props) {
  const { t } = useTranslation()
  const { mode, search, change } = state
  const { question } = state.map
  const { regionId } = state.region
  const filter = useEmptyingFilter({
    isEmpty: lacks === 'matches',
    search,
    labels,
    query: (clear) =>
      endpointQuery(querySpatial, { params: { region_id: regionId }, body: withoutFilters(question, clear) }),
    hasResults: ({ total }) => Boolean(total),
  })
  if (filter) return <EmptiedByFilter filter={filter} change={change} />
  if (lacks === 'matches') return <NoMatches state={state} />
  const textKey = lacks === 'facts' ? `facts.${mode.key}` : lacks
  const factsPage = mode.key === 'trips' ? 'trip-files' : 'data-health'
  const page = lacks === 'layers' ? 'geographies' : factsPage
  const action = (
    <Button component={Link} to={`/${encodeURIComponent(regionId)}/mobility/${page}`}>
      {t(`evaluation:empty.${textKey}.action`)}
    </Button>
  )
  return (
    <EmptyState title={t(`evaluation:empty.${textKey}.title`)} action={action}>
      {t(`evaluation:empty.${textKey}.text`)}
    </EmptyState>
  )
}

/** Offers the days that have data, if other filters do not hide it. */
function NoMatches({ state: { change, period, map } }: Pick<Props, 'state'>) {
  const { t, i18n } = useTranslation()
  const daysWithData = findHiddenDays(period, map.extent?.first_day, map.extent?.last_day)
  const title = t('evaluation:empty.matches.title')
  if (!daysWithData) return <EmptyState title={title}>{t('evaluation:empty.matches.text')}</EmptyState>
  const action = (
    <Button onClick={() => change({ period: undefined, ...daysWithData })}>
      {t('evaluation:empty.matches.action')}
    </Button>
  )
  return (
    <EmptyState title={title} action={action}>
      {t('evaluation:empty.matches.held', { period: formatPeriod(daysWithData, i18n.language) })}
    </EmptyState>
  )
}
