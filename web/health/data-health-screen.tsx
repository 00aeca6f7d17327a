import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  defaultHealthPeriod,
  getDataHealth,
  getMdsStatus,
  maxHealthDays,
  type FeedStatus,
  type OperatorHealth,
} from '#contract/health.ts'
import { useToday } from '#web/filters/use-today.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { type HealthSearch, healthSearch, toPeriodQuery } from './health-search.ts'
import { OperatorDetails } from './operator-details.tsx'
import { OperatorList } from './operator-list.tsx'
import { formatShortDay } from '#web/kit/dates/calendar-text.ts'
import { Box, Button, Title } from '@mantine/core'
import { FeedMark } from './feed-mark.tsx'
import styles from './operator-list.module.css'
import { IconHeartRateMonitor } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMe } from '#web/shell/me.tsx'
import { PermissionHolders } from '#web/shell/permission-holders.tsx'

/** Shown for a region without feeds: the next step, or who can take it. */
function NoFeeds() {
  const { t } = useTranslation()
  const { can } = useMe()
  const { regionId } = useRegion()
  const isAdmin = can('is_admin')
  return (
    <EmptyState
      title={t('health:empty.title')}
      icon={<IconHeartRateMonitor />}
      action={
        isAdmin ? (
          <Button component={Link} to="/admin/operators">
            {t('health:empty.admin')}
          </Button>
        ) : null
      }
    >
      {t('health:empty.text')} {isAdmin ? null : t('health:empty.others')}
      <PermissionHolders regionId={regionId} permission="is_admin" />
    </EmptyState>
  )
}

/** Returns the operator of the URL, else the first with open incidents or the first; undefined if unknown. */
export function findSelectedOperator(
  operators: readonly OperatorHealth[],
  fromUrl: string | undefined,
): OperatorHealth | undefined {
  if (fromUrl !== undefined) return operators.find(({ operator }) => operator === fromUrl)
  return operators.find(({ open_incidents }) => open_incidents > 0) ?? operators[0]
}

/** Feeds without an operator: issues and weather. */
function OtherFeeds({ feeds, at, timezone }: { feeds: readonly FeedStatus[]; at: number; timezone: string }) {
  const { t } = useTranslation()
  if (feeds.length === 0) return null
  return (
    <Box component="section" my="lg" aria-label={t('health:otherFeeds')}>
      <Title order={2} mb="sm">
        {t('health:otherFeeds')}
      </Title>
      <ul className={styles['feeds']}>
        {feeds.map((feed) => (
          <li key={feed.feed_id}>
            <FeedMark feed={feed} at={at} timezone={timezone} />
          </li>
        ))}
      </ul>
    </Box>
  )
}

const refreshMs = 60_000

/** The data quality of each operator, with the records behind every figure. */
export function DataHealthScreen() {
  const { t, i18n } = useTranslation()
  const region = useRegion()
  const { search, push: change, replace: adjust } = useSearchState(healthSearch)
  const today = useToday(region.timezone)
  const input = { params: { region_id: region.regionId } }
  // Refreshed automatically, so that users see a feed recover without a reload.
  const queryOptions = { staleTime: 0, refetchInterval: refreshMs, placeholderData: keepPreviousData }
  const status = useEndpointQuery(getMdsStatus, input, queryOptions)
  const health = useEndpointQuery(getDataHealth, { ...input, query: toPeriodQuery(search) }, queryOptions)
  const defaultPeriod = defaultHealthPeriod(today)
  const range = {
    from: search.start_date ?? defaultPeriod.start_date,
    to: search.end_date ?? defaultPeriod.end_date,
  }
  const query = {
    data: status.data && health.data ? { status: status.data, health: health.data } : undefined,
    error: status.error ?? health.error,
    isFetching: health.isPlaceholderData,
    refetch: () => Promise.all([status.refetch(), health.refetch()]),
  }
  const handleFilter = (changes: Partial<HealthSearch>) => adjust({ ...changes, page: undefined })
  const period = `${formatShortDay(range.from, i18n.language)} – ${formatShortDay(range.to, i18n.language)}`
  const context = health.data
    ? t('health:context', {
        region: region.text,
        period,
        time: formatDateTime(health.data.as_of, region.timezone),
      })
    : `${region.text} · ${period}`
  return (
    <ReadingPage>
      <PageHeader title={t('shell:pages.dataHealth')} context={context} />
      <FilterBar
        filters={[
          {
            kind: 'days',
            label: t('health:period'),
            today,
            defaultValue: { from: defaultPeriod.start_date, to: defaultPeriod.end_date },
            maxDays: maxHealthDays,
            subject: 'fleet',
          },
        ]}
        state={search}
        onChange={handleFilter}
        onType={handleFilter}
      />
      <Loaded
        query={query}
        isEmpty={(data) => data.status.items.length === 0 && data.health.operators.length === 0}
        empty={<NoFeeds />}
      >
        {(data) => {
          const at = Date.parse(data.status.as_of)
          const selectedHealth = findSelectedOperator(data.health.operators, search.operator)
          return (
            <>
              <OperatorList
                operators={data.health.operators}
                feeds={data.status.items}
                at={at}
                timezone={region.timezone}
                selected={selectedHealth?.operator}
                onChoose={(operator) => change({ operator, page: undefined })}
              />
              <OtherFeeds
                feeds={data.status.items.filter((feed) => feed.operator === null)}
                at={at}
                timezone={region.timezone}
              />
              {selectedHealth ? (
                <OperatorDetails
                  region={region}
                  health={selectedHealth}
                  feeds={data.status.items}
                  search={search}
                  change={change}
                />
              ) : null}
              {!selectedHealth && search.operator !== undefined ? (
                <EmptyState title={t('health:noOperator', { slug: search.operator })} />
              ) : null}
            </>
          )
        }}
      </Loaded>
    </ReadingPage>
  )
}
