import { Select, Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getFeedVerdict } from '#contract/feed-verdict.ts'
import { listLayers } from '#contract/geography.ts'
import { getMdsStatus } from '#contract/health.ts'
import { listIncidents } from '#contract/incidents.ts'
import type { MetricsResponse } from '#contract/metrics.ts'
import { listOperators } from '#contract/operators.ts'
import type { LocalDay } from '#contract/period.ts'
import { listPolicies } from '#contract/policies.ts'
import type { Region } from '#contract/regions.ts'
import { querySpatial } from '#contract/spatial.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useToday } from '#web/filters/use-today.ts'
import { FeesTile } from '#web/billing/fees-tile.tsx'
import type { ApiError } from '#web/data/api-error.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { activeLayer, layerOptions } from '#web/map-page/layer-options.ts'
import { readEvaluation } from '#web/map-page/by-shape/read-evaluation.ts'
import { useShapes } from '#web/map-page/use-shapes.ts'
import { periodBefore, toComparison, yearBefore } from '#web/filters/comparison.ts'
import { type Period, formatPeriod } from '#web/filters/period.ts'
import { toFeedFacts, FeedMark } from '#web/health/feed-mark.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { type Metric, MetricTile, MetricTilePlaceholder } from '#web/kit/metric-tile.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { isPageEnabled } from '#web/shell/features.ts'
import { useRegion } from '#web/shell/region.tsx'
import { useAccessContext } from '#web/shell/use-access-context.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import styles from './activity-summary.module.css'
import { ComplianceTile, CompliancePanel } from './home-compliance.tsx'
import { PageLink, Panel } from './home-panel.tsx'
import {
  defaultHomePeriod,
  homeMetrics,
  homePeriod,
  homePeriods,
  maxListed,
  openIncidents,
  readHomeSearch,
} from './home-questions.ts'
import { homeTiles } from './home-tiles.ts'
import { measureFormat, operatorName } from './measure-format.ts'

// The map's code is large, so the figures do not wait for it.
const AreaMap = lazy(async () => ({ default: (await import('#web/map-page/by-shape/area-map.tsx')).AreaMap }))

/** Home: recent activity, and what needs attention. */
export function ActivitySummaryScreen() {
  const { t, i18n } = useTranslation()
  const region = useRegion()
  const now = useOpenedAt()
  const today = useToday(region.timezone)
  const { search, push } = useSearchState(readHomeSearch)
  const selectedPeriod = search.period ?? defaultHomePeriod
  const period = useMemo(() => homePeriod(selectedPeriod, today), [selectedPeriod, today])
  const metrics = useMetrics(region, period)
  return (
    <ReadingPage>
      <PageHeader
        title={t('shell:pages.activitySummary')}
        context={t('reporting:home.context', {
          region: region.text,
          period: formatPeriod(period, i18n.language),
        })}
        actions={
          <Select
            aria-label={t('reporting:home.period.label')}
            allowDeselect={false}
            value={selectedPeriod}
            data={homePeriods.map((value) => ({ value, label: t(`reporting:home.period.${value}`) }))}
            onChange={(value) => push({ period: homePeriods.find((homePeriod) => homePeriod === value) })}
          />
        }
      />
      <Setup region={region} />
      <Tiles region={region} period={period} language={i18n.language} today={today} metrics={metrics} />
      <div className={styles['columns']}>
        <OriginsMap region={region} period={period} at={now} isNext={isSettled(metrics.current)} />
        <div className={styles['side']}>
          <Feeds region={region} now={now} />
          <Incidents region={region} />
          <CompliancePanel region={region} period={period} />
        </div>
      </div>
    </ReadingPage>
  )
}

interface RegionProps {
  region: Region
}
interface PeriodProps extends RegionProps {
  period: Period
}

const isSettled = ({ isSuccess, isError }: { isSuccess: boolean; isError: boolean }): boolean =>
  isSuccess || isError

/** Loads the figures of a period with those of the previous period and, then, of the year before. */
function useMetrics(region: Region, period: Period) {
  const current = useQuery<MetricsResponse, ApiError>({
    ...homeMetrics(region.regionId, period, periodBefore(period), true),
    placeholderData: keepPreviousData,
  })
  // The year before may lack data or still be computed, so it is requested separately.
  const year = useQuery<MetricsResponse, ApiError>({
    ...homeMetrics(region.regionId, yearBefore(period), null, false),
    enabled: isSettled(current),
  })
  return { current, year }
}

/** The figures of the period as tiles. */
function Tiles({
  region,
  period,
  language,
  today,
  metrics: { current, year },
}: PeriodProps & { language: string; today: LocalDay; metrics: ReturnType<typeof useMetrics> }) {
  const { t } = useTranslation()
  const access = useAccessContext()
  const previousPeriod = periodBefore(period)
  const lastYear = yearBefore(period)
  const getName = (days: Period): string => formatPeriod(days, language)
  const firstDay = current.data?.first_day
  const independentTiles = (
    <>
      {access && isPageEnabled(access, 'compliance') ? (
        <ComplianceTile
          region={region}
          period={period}
          firstDay={firstDay}
          isNext={isSettled(year)}
          language={language}
        />
      ) : null}
      {access && isPageEnabled(access, 'invoicing') ? (
        <FeesTile
          region={region}
          today={today}
          firstDay={firstDay}
          more={
            <PageLink region={region} page="invoicing">
              {t('reporting:home.report')}
            </PageLink>
          }
        />
      ) : null}
    </>
  )
  return (
    <Loaded
      query={current}
      skeleton={
        <div className={styles['tiles']}>
          {homeTiles.map(([key]) => (
            <MetricTilePlaceholder key={key} />
          ))}
          {independentTiles}
        </div>
      }
    >
      {(response) => (
        <div className={styles['tiles']}>
          {homeTiles.map(([key, page], index) => (
            <MetricTile
              key={key}
              metric={{
                ...buildTile(t, region, response, {
                  index,
                  comparisons: [
                    { key: 'previous', compared: previousPeriod, value: response.comparison?.totals[index] },
                    { key: 'lastYear', compared: lastYear, value: year.data?.period.totals[index] },
                  ].map((compared) =>
                    toComparison({ ...compared, period, firstDay: response.first_day, getName }),
                  ),
                }),
                more: (
                  <PageLink region={region} page={page} search={period}>
                    {t('reporting:home.report')}
                  </PageLink>
                ),
              }}
            />
          ))}
          {independentTiles}
        </div>
      )}
    </Loaded>
  )
}

function buildTile(
  t: TFunction,
  { isMetric }: Region,
  { period }: MetricsResponse,
  { index, comparisons }: { index: number; comparisons: NonNullable<Metric['comparisons']> },
): Metric {
  const [key] = homeTiles[index]!
  const { unit, scale, format } = measureFormat(key, isMetric, t)
  const toScaled = (value: number | null | undefined): number | null => (value == null ? null : scale(value))
  return {
    label: t(`reporting:measure.${key}.name`),
    definition: t(`reporting:measure.${key}.definition`),
    value: toScaled(period.totals[index]),
    unit,
    format,
    history: period.rows.map(({ values }) => toScaled(values[index])),
    missingReason: t('reporting:missing'),
    comparisons: comparisons.map((comparison) => ({ ...comparison, value: toScaled(comparison.value) })),
  }
}

/** Trip origins by area of the primary layer. */
function OriginsMap({ region, period, at, isNext }: PeriodProps & { at: number; isNext: boolean }) {
  const { t } = useTranslation()
  const params = { region_id: region.regionId }
  const layers = useEndpointQuery(listLayers, { params })
  const layer = activeLayer(layerOptions(layers.data?.items ?? []), undefined)
  const shapes = useShapes(layer)
  const origins = useEndpointQuery(
    querySpatial,
    {
      params,
      body: {
        mode: 'trips',
        aggregation: 'origins',
        shape_layer_uuid: layer?.shape_layer_uuid ?? '',
        ...period,
      },
    },
    { enabled: layer !== null && isNext, placeholderData: keepPreviousData },
  )
  const values = useMemo(
    () => (origins.data && shapes.data ? readEvaluation(origins.data, shapes.data, region.isMetric) : null),
    [origins.data, shapes.data, region.isMetric],
  )
  return (
    <Panel
      title={t('reporting:home.map.title')}
      link={
        <PageLink region={region} page="trips" search={period}>
          {t('reporting:home.map.open')}
        </PageLink>
      }
    >
      {layers.data && !layer ? (
        <Text c="dimmed">{t('reporting:home.map.none')}</Text>
      ) : (
        <Loaded query={{ ...origins, data: values ?? undefined }}>
          {(loaded) => (
            <Suspense fallback={<Skeleton height={360} />}>
              <AreaMap
                title={t('reporting:home.map.map')}
                unitText={t('reporting:unit.trips')}
                unitSingular={t('reporting:unit.trip')}
                region={region}
                layers={layers.data?.items ?? []}
                layer={layer!}
                shapes={shapes.data ?? []}
                values={loaded}
                at={at}
              />
            </Suspense>
          )}
        </Loaded>
      )}
    </Panel>
  )
}

function Feeds({ region, now }: RegionProps & { now: number }) {
  const { t } = useTranslation()
  const status = useEndpointQuery(getMdsStatus, { params: { region_id: region.regionId } })
  return (
    <Panel
      title={t('reporting:home.feeds.title')}
      link={
        <PageLink region={region} page="dataHealth">
          {t('reporting:home.feeds.open')}
        </PageLink>
      }
    >
      <Loaded
        query={status}
        isEmpty={({ items }) => items.length === 0}
        empty={<Text c="dimmed">{t('reporting:home.feeds.none')}</Text>}
      >
        {({ items }) => {
          const lateFeeds = items.filter((feed) => getFeedVerdict(toFeedFacts(feed), now).state !== 'ok')
          return (
            <>
              <p className={styles['quiet']}>
                {t('reporting:home.feeds.onTime', {
                  count: items.length - lateFeeds.length,
                  all: items.length,
                })}
              </p>
              <ul className={styles['list']}>
                {lateFeeds.slice(0, maxListed).map((feed) => (
                  <li key={feed.feed_id}>
                    <FeedMark feed={feed} at={now} timezone={region.timezone} />
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}

function Incidents({ region }: RegionProps) {
  const { t } = useTranslation()
  const operators = useEndpointQuery(listOperators, { query: { region_id: region.regionId } }).data?.items
  const incidents = useEndpointQuery(listIncidents, openIncidents(region.regionId))
  return (
    <Panel
      title={t('reporting:home.incidents.title')}
      link={
        <PageLink region={region} page="dataHealth">
          {t('reporting:home.incidents.all')}
        </PageLink>
      }
    >
      <Loaded
        query={incidents}
        isEmpty={({ items }) => items.length === 0}
        empty={<Text c="dimmed">{t('reporting:home.incidents.none')}</Text>}
      >
        {({ items }) => (
          <ul className={styles['list']}>
            {items.map(({ incident_id, rule, feed_name, operator, opened_time }) => (
              <li key={incident_id} className={styles['item']}>
                <span>
                  {t(`health:rules.${rule}.name`)}{' '}
                  <span className={styles['quiet']}>
                    {feed_name ?? operatorName(operators, operator ?? '')}
                  </span>
                </span>
                <span className={styles['quiet']}>
                  {t('health:incidents.since', { time: formatDateTime(opened_time, region.timezone) })}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}

/** Setup steps that a new region still lacks; empty once it is complete. */
function Setup({ region }: RegionProps) {
  const { t } = useTranslation()
  const params = { region_id: region.regionId }
  const layers = useEndpointQuery(listLayers, { params }).data
  const operators = useEndpointQuery(listOperators, { query: params }).data
  const feeds = useEndpointQuery(getMdsStatus, { params }).data
  const policies = useEndpointQuery(listPolicies, { body: { ...params, size: 5 } }).data
  const steps = [
    ['layers', layers && layerOptions(layers.items).length > 0, 'geographies'],
    ['operators', operators && operators.total > 0, 'dataHealth'],
    ['feeds', feeds && feeds.items.length > 0, 'dataHealth'],
    ['policies', policies && policies.total > 0, 'policies'],
  ] as const
  const missingSteps = steps.filter(([, isDone]) => isDone === false)
  return missingSteps.length === 0 ? null : (
    <div className={styles['setup']}>
      <Panel title={t('reporting:home.setup.title', { region: region.text })}>
        <Text size="sm" mb="xs">
          {t('reporting:home.setup.text')}
        </Text>
        <ul>
          {missingSteps.map(([key, , page]) => (
            <li key={key}>
              <PageLink region={region} page={page}>
                {t(`reporting:home.setup.${key}`)}
              </PageLink>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
