import type { TFunction } from 'i18next'
import type { MeasureKey, MetricDimension, MetricsResponse } from '#contract/metrics.ts'
import { addDays, endOfMonth, type LocalDay } from '#contract/period.ts'
import type { Policy } from '#contract/policy.ts'
import type { ChartSeries, SeriesChart } from '#web/charts/chart.ts'
import { comparedPeriod } from '#web/filters/comparison.ts'
import { formatPeriod, partialBuckets } from '#web/filters/period.ts'
import { formatKey, operatorColor, operatorName } from './measure-format.ts'
import type { Grain, ReportContext, ReportSearch } from './report-search.ts'

type ResponsePeriod = MetricsResponse['period']

const getDistinctKeys = (period: ResponsePeriod, index: 0 | 1): string[] => [
  ...new Set(period.rows.map(({ keys }) => keys[index] ?? '')),
]

/** Returns the times of a response (first key of its rows), in the order of the response. */
const getTimes = (period: ResponsePeriod): string[] => getDistinctKeys(period, 0)

/** Returns the groups of a response (second key of its rows), sorted; `['']` without a group. */
const getGroups = (period: ResponsePeriod): string[] => getDistinctKeys(period, 1).toSorted()

const toRowKey = (keys: readonly string[]): string => keys.join('\t')

interface SeriesRequest {
  measure: MeasureKey
  /** Index of the measure in the request. */
  index: number
  group?: MetricDimension
  /** Converts values to the displayed unit. */
  scale?: (value: number) => number
}

/** Returns the series of a measure by a time dimension (first key) and an optional group (second key). */
function toSeries(
  context: ReportContext,
  period: ResponsePeriod,
  { measure, index, group, scale }: SeriesRequest,
  t: TFunction,
): { times: string[]; series: ChartSeries[] } {
  const times = getTimes(period)
  const values = new Map(
    period.rows.map(({ keys, values: allValues }) => [toRowKey(keys), allValues[index] ?? null]),
  )
  return {
    times,
    series: getGroups(period).map((key) => ({
      key,
      name: group ? formatKey(context, group, key, t) : t(`reporting:measure.${measure}.name`),
      color: group === 'operator' ? operatorColor(context, key) : undefined,
      values: times.map((time) => {
        const value = values.get(toRowKey(group ? [time, key] : [time])) ?? null
        return value === null || !scale ? value : scale(value)
      }),
    })),
  }
}

interface TimeChart extends SeriesRequest {
  response: MetricsResponse
  kind: SeriesChart['kind']
  grain: Grain
}

/** Returns a chart of one measure by time and group, with the compared period. */
export function timeChart(
  context: ReportContext,
  search: ReportSearch,
  { response, kind, grain, ...request }: TimeChart,
  t: TFunction,
): SeriesChart {
  const seriesFor = (period: ResponsePeriod) => toSeries(context, period, request, t)
  const { times, series } = seriesFor(response.period)
  const compared = comparedPeriod(search)
  return {
    kind,
    axis: {
      title: t(`reporting:grain.${grain}`),
      labels: times.map((time) => formatKey(context, grain, time, t)),
      ...partialBuckets(times, grain, {
        start: response.period.start_date,
        unfinishedDay: response.unfinished_day,
        language: context.language,
      }),
    },
    series,
    ...(response.comparison && compared
      ? {
          before: {
            name: formatPeriod(compared, context.language),
            series: seriesFor(response.comparison).series,
          },
        }
      : {}),
  }
}

/** Returns the first and last day of the week, month or other grain that begins on `start`. */
function getGrainDays(start: LocalDay, grain: Grain): { first: LocalDay; last: LocalDay } {
  if (grain === 'month') return { first: start, last: endOfMonth(start) }
  return { first: start, last: grain === 'week' ? addDays(start, 6) : start }
}

/**
 * Returns the vehicle cap of each operator as a limit in the chart; one series if all operators have the same.
 * If several caps apply during a week or month, the lowest counts.
 */
export function vehicleCapSeries(
  context: ReportContext,
  {
    policies,
    response: { period },
    grain,
  }: { policies: readonly Policy[]; response: MetricsResponse; grain: Grain },
  t: TFunction,
): ChartSeries[] {
  const times = getTimes(period)
  const findCap = (slug: string, time: string): number | null => {
    const { first, last } = getGrainDays(time, grain)
    const caps = policies.flatMap(({ operators, maximum, start_date, end_date }) =>
      maximum !== null &&
      (!operators.length || operators.includes(slug)) &&
      (start_date === null || start_date <= last) &&
      (end_date === null || end_date >= first)
        ? [maximum]
        : [],
    )
    return caps.length ? Math.min(...caps) : null
  }
  const series = getGroups(period).map((slug) => ({ slug, values: times.map((time) => findCap(slug, time)) }))
  const cappedSeries = series.filter(({ values }) => values.some((value) => value !== null))
  const hasEqualCaps = new Set(series.map(({ values }) => values.join())).size === 1
  return (hasEqualCaps ? cappedSeries.slice(0, 1) : cappedSeries).map(({ slug, values }) => ({
    key: `permitted:${slug}`,
    name: hasEqualCaps
      ? t('reporting:tripCounts.permittedEach')
      : t('reporting:tripCounts.permitted', { operator: operatorName(context.operators, slug) }),
    isLimit: true,
    values,
  }))
}
