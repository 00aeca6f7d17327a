import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { getRouteVolumes } from '#contract/routes.ts'
import { endpointQuery } from '#web/data/query.ts'
import { EmptiedByFilter, useEmptyingFilter } from '#web/filters/emptying-filter.tsx'
import { selectedPeriod, findHiddenDays, formatPeriod } from '#web/filters/period.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { toRoutesQuestion } from './routes-question.ts'
import type { RoutesSearch } from './routes-search.ts'
import type { RoutesState } from './use-routes.ts'

interface Props {
  region: Region
  /** What is missing: a layer of streets, routes of any trip, or routes that match the filters. */
  lacks: 'streets' | 'ways' | 'matches'
  search: RoutesSearch
  change: (changes: Partial<RoutesSearch>) => void
  today: LocalDay
  routes: RoutesState
}

/** Filters that can leave no results, in the order of the panel. */
const labels = {
  days: 'filters:weekdays',
  hours: 'filters:hours.label',
  operators: 'filters:operators.label',
  vehicle_types: 'filters:vehicleType.label',
} as const

/** Why the routes map shows nothing, and what to do next. */
export function RoutesEmpty({ region: { regionId }, lacks, search, change, today, routes }: Props) {
  const { t, i18n } = useTranslation()
  const filter = useEmptyingFilter({
    isEmpty: lacks === 'matches',
    search,
    labels,
    query: (clear) =>
      endpointQuery(getRouteVolumes, {
        params: { region_id: regionId },
        query: toRoutesQuestion({ ...search, ...clear }, today),
      }),
    hasResults: ({ trips_with_way }) => trips_with_way > 0,
  })
  if (filter) return <EmptiedByFilter filter={filter} change={change} />
  const { range } = routes
  const hiddenDays = findHiddenDays(selectedPeriod(search, today), range?.start_date, range?.end_date)
  const action =
    lacks === 'streets' ? (
      <Button component={Link} to={pagePath(regionId, 'geographies')}>
        {t('routes:empty.streets.action')}
      </Button>
    ) : lacks === 'matches' && hiddenDays ? (
      <Button onClick={() => change({ period: undefined, ...hiddenDays })}>
        {t('routes:empty.matches.action', { period: formatPeriod(hiddenDays, i18n.language) })}
      </Button>
    ) : null
  return (
    <EmptyState title={t(`routes:empty.${lacks}.title`)} action={action}>
      {t(`routes:empty.${lacks}.text`)}
    </EmptyState>
  )
}
