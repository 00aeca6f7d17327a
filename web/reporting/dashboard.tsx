import { Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ChartPanel } from '#web/charts/chart-panel.tsx'
import type { ApiError } from '#web/data/api-error.ts'
import type { Filter } from '#web/filters/filter.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { selectedPeriod, type Period } from '#web/filters/period.ts'
import { ShareButton } from '#web/filters/share-button.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { type Metric, MetricTile, MetricTilePlaceholder } from '#web/kit/metric-tile.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { type PageKey, pageTitle } from '#web/shell/pages.ts'
import { SlideChanger } from '#web/shell/slide-changer.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import styles from './dashboard.module.css'

export type DashboardChart = ComponentProps<typeof ChartPanel> & {
  /** Whether the chart has the full width, for many positions. */
  isWide?: boolean
}

/**
 * A dashboard as a declaration. `S` is its state in the URL, `D` its data. Tiles, charts and table are
 * functions of the data, so that their number is known before the data is loaded.
 */
export interface Dashboard<S extends object, D> {
  /** Absent if the title is the name of the page. */
  title?: (t: TFunction) => string
  /** Returns a line about the data: region, dates, freshness. */
  context: (data: D, t: TFunction) => string
  readSearch: (search: Record<string, unknown>) => S
  /** Options may depend on the data, which is undefined until it is loaded. */
  filters: (t: TFunction, data: D | undefined) => readonly Filter[]
  /** Returns the query for a search, such as `endpointQuery(endpoint, input)`. */
  query: (search: S) => {
    queryKey: readonly unknown[]
    queryFn: (context: { signal: AbortSignal }) => Promise<D> | D
  }
  isEmpty?: (data: D) => boolean
  /** Returns the message if there is no data. */
  empty?: (t: TFunction) => { title: string; text: string }
  tiles?: readonly ((data: D, t: TFunction) => Metric)[]
  charts?: readonly ((data: D, t: TFunction) => DashboardChart)[]
  /** The page in the menu, to switch to its siblings. */
  page?: PageKey
  /** Actions beside the title, such as a link to the same data on a map. */
  actions?: (search: S, t: TFunction) => ReactNode
  /** Content between charts and table, such as a map. */
  belowCharts?: (data: D, t: TFunction) => ReactNode
  /** A table of the same data; its rows can be of any type. */
  table?: (data: D, t: TFunction) => ReactElement
}

/** Returns the period of the page, which a shared link fixes; null if it has none. */
function getPeriod(filters: readonly Filter[], search: object): Period | null {
  const filter = filters.find(({ kind }) => kind === 'period')
  return filter?.kind === 'period' ? selectedPeriod(search, filter.today, filter.getDefault) : null
}

/** The screen of a dashboard: filter bar, tiles, charts and a table. */
export function DashboardScreen<S extends object, D>({
  dashboard,
  actions,
}: {
  dashboard: Dashboard<S, D>
  /** Content beside the title. */
  actions?: ReactNode
}) {
  const { t } = useTranslation()
  const { isEmpty, tiles = [], charts = [], table } = dashboard
  const empty = dashboard.empty?.(t) ?? { title: t('reporting:empty.title'), text: t('reporting:empty.text') }
  const { search, push, replace } = useSearchState(dashboard.readSearch)
  // While new filters load, the previous data remains visible, dimmed.
  const data = useQuery<D, ApiError>({
    ...dashboard.query(search),
    placeholderData: keepPreviousData as never,
  })
  const filters = dashboard.filters(t, data.data)
  return (
    <ReadingPage>
      <PageHeader
        title={dashboard.title?.(t) ?? (dashboard.page ? t(pageTitle(dashboard.page)) : '')}
        context={data.data === undefined ? '\u00a0' : dashboard.context(data.data, t)}
        actions={
          <>
            {dashboard.actions?.(search, t)}
            {actions}
            <ShareButton variant="default" period={getPeriod(filters, search)} />
            {dashboard.page ? <SlideChanger page={dashboard.page} /> : null}
          </>
        }
      />
      <FilterBar
        filters={filters}
        state={search as Record<string, unknown>}
        onChange={(changes) => push(changes as Partial<S>)}
        onType={(changes) => replace(changes as Partial<S>)}
      />
      <Loaded
        query={data}
        skeleton={
          <>
            {data.failureReason?.isPreparing ? (
              <Text role="status" mb="md">
                {data.failureReason.message}
              </Text>
            ) : null}
            <Placeholder tiles={tiles.length} charts={charts.length} hasTable={table !== undefined} />
          </>
        }
        {...(isEmpty ? { isEmpty } : {})}
        empty={<EmptyState title={empty.title}>{empty.text}</EmptyState>}
      >
        {(loaded) => (
          <div>
            {tiles.length > 0 ? (
              <div className={styles['tiles']}>
                {tiles
                  .map((tile) => tile(loaded, t))
                  .map((metric) => (
                    <MetricTile key={metric.label} metric={metric} />
                  ))}
              </div>
            ) : null}
            {charts.length > 0 ? (
              <div className={styles['charts']}>
                {charts
                  .map((chart) => chart(loaded, t))
                  .map(({ isWide, ...chart }) => (
                    <div key={chart.title} className={isWide ? styles['wide'] : undefined}>
                      <ChartPanel {...chart} />
                    </div>
                  ))}
              </div>
            ) : null}
            {dashboard.belowCharts ? (
              <div className={styles['more']}>{dashboard.belowCharts(loaded, t)}</div>
            ) : null}
            {table?.(loaded, t)}
          </div>
        )}
      </Loaded>
    </ReadingPage>
  )
}

function Placeholder({ tiles, charts, hasTable }: { tiles: number; charts: number; hasTable: boolean }) {
  return (
    <>
      <div className={styles['tiles']}>
        {Array.from({ length: tiles }, (_, index) => (
          <MetricTilePlaceholder key={index} />
        ))}
      </div>
      <div className={styles['charts']}>
        {Array.from({ length: charts }, (_, index) => (
          <Skeleton key={index} height={330} />
        ))}
      </div>
      {hasTable ? <Skeleton height={240} /> : null}
    </>
  )
}
