import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { listIssues } from '#contract/issues.ts'
import type { LocalDay } from '#contract/period.ts'
import { endpointQuery } from '#web/data/query.ts'
import { EmptiedByFilter, useEmptyingFilter } from '#web/filters/emptying-filter.tsx'
import { selectedPeriod, findHiddenDays, type Period, formatPeriod } from '#web/filters/period.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { useMe } from '#web/shell/me.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { PermissionHolders } from '#web/shell/permission-holders.tsx'
import { toIssuesQuestion } from './issues-question.ts'
import type { IssuesSearch } from './issues-search.ts'
import type { useIssues } from './use-issues.ts'

/** Filters that can leave no results, in the order of the panel. */
const labels = {
  types: 'issues:types.label',
  status: 'issues:status.label',
  resolution_time: 'issues:resolution.label',
} as const

interface Props {
  regionId: string
  /** What is missing: any issues, issues that match the filters, or the layer. */
  lacks: 'issues' | 'matches' | 'layers'
  /** All days with issues, if some of them are hidden. */
  hiddenDays: Period | null
  search: IssuesSearch
  change: (changes: Partial<IssuesSearch>) => void
  today: LocalDay
}

/** Why the 311 map is empty, and what to do next. */
function IssuesEmpty({ regionId, lacks, hiddenDays, search, change, today }: Props) {
  const { t, i18n } = useTranslation()
  const { can } = useMe()
  const filter = useEmptyingFilter({
    isEmpty: lacks === 'matches',
    search,
    labels,
    query: (clear) =>
      endpointQuery(listIssues, {
        params: { region_id: regionId },
        query: { ...toIssuesQuestion({ ...search, ...clear }, today), size: 1 },
      }),
    hasResults: ({ total }) => total > 0,
  })
  if (filter) return <EmptiedByFilter filter={filter} change={change} />
  if (lacks === 'layers')
    return (
      <EmptyState
        title={t('evaluation:empty.layers.title')}
        action={
          <Button component={Link} to={pagePath(regionId, 'geographies')}>
            {t('evaluation:empty.layers.action')}
          </Button>
        }
      >
        {t('evaluation:empty.layers.text')}
      </EmptyState>
    )
  if (lacks === 'matches')
    return (
      <EmptyState
        title={t('issues:empty.matches.title')}
        action={
          hiddenDays ? (
            <Button onClick={() => change({ period: undefined, ...hiddenDays, page: undefined })}>
              {t('issues:empty.matches.action')}
            </Button>
          ) : null
        }
      >
        {hiddenDays
          ? t('issues:empty.matches.held', { period: formatPeriod(hiddenDays, i18n.language) })
          : t('issues:empty.matches.text')}
      </EmptyState>
    )
  const isAdmin = can('is_admin')
  const links = (
    <Group gap="sm" justify="center">
      <Button component={Link} to="/admin/operators">
        {t('issues:empty.issues.feeds')}
      </Button>
      <Button component={Link} to={pagePath(regionId, 'tripFiles')} variant="default">
        {t('issues:empty.issues.files')}
      </Button>
    </Group>
  )
  return (
    <EmptyState title={t('issues:empty.issues.title')} action={isAdmin ? links : null}>
      {t(isAdmin ? 'issues:empty.issues.admin' : 'issues:empty.issues.others')}
      <PermissionHolders regionId={regionId} permission="is_admin" />
    </EmptyState>
  )
}

interface EmptyMapInput {
  regionId: string
  search: IssuesSearch
  change: (changes: Partial<IssuesSearch>) => void
  issues: Pick<
    ReturnType<typeof useIssues>,
    'types' | 'points' | 'byShape' | 'before' | 'isMissing' | 'layers' | 'options'
  >
  today: LocalDay
}

/** Returns the message of an empty map; null if it has content or is loading. */
export function useEmptyMessage({
  regionId,
  search,
  change,
  issues: { types, points, byShape, before, isMissing, layers, options },
  today,
}: EmptyMapInput): ReactNode {
  const total =
    search.show === 'shapes' ? byShape && byShape.total.count + (before?.total.count ?? 0) : points?.total
  const hasNoLayers = search.show === 'shapes' && layers && options.length === 0
  const findLack = () => {
    if (types?.items.length === 0) return 'issues'
    if (hasNoLayers) return 'layers'
    return total === 0 || isMissing ? 'matches' : null
  }
  const lacks = findLack()
  if (lacks === null) return null
  return (
    <IssuesEmpty
      regionId={regionId}
      lacks={lacks}
      hiddenDays={findHiddenDays(selectedPeriod(search, today), types?.first_day, types?.last_day)}
      search={search}
      change={change}
      today={today}
    />
  )
}
