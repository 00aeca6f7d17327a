import type { TFunction } from 'i18next'
import { createElement } from 'react'
import {
  type DistributedValue,
  type MeasureKey,
  type MetricDimension,
  type MetricsResponse,
  measures as declared,
  queryDistribution,
  queryMetrics,
} from '#contract/metrics.ts'
import type { Operator } from '#contract/operators.ts'
import { dayFromNumber, dayNumber, type LocalDay, startOfNextMonth } from '#contract/period.ts'
import type { Policy } from '#contract/policy.ts'
import { distanceUnit, toDistanceUnit } from '#contract/units.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import type { ChartSeries, SeriesChart } from '#web/charts/chart.ts'
import { endpointQuery } from '#web/data/query.ts'
import { comparedPeriod, toComparison } from '#web/filters/comparison.ts'
import { partialBuckets, formatPeriod } from '#web/filters/period.ts'
import type { Metric } from '#web/kit/metric-tile.tsx'
import { formatDateTime, formatInteger, formatNumber, formatPercent, isMissing } from '#web/kit/format.ts'
import { RecordsLink } from './records-link.tsx'
import { type Grain, type ReportContext, type ReportSearch, toSelection } from './report-search.ts'

/**
 * The request for the distribution of a value over bins (in the API's unit), for the selection of the URL.
 */
export const distributionQuery = (
  context: ReportContext,
  search: ReportSearch,
  { value, bins, group }: { value: DistributedValue; bins: readonly number[]; group: MetricDimension | null },
) =>
  endpointQuery(queryDistribution, {
    params: { region_id: context.region.regionId },
    body: { value, bins: [...bins], group_by: group, ...toSelection(context, search) },
  })

/** The request for measures by dimensions over the selection of the URL. */
export function metricsQuery(
  context: ReportContext,
  search: ReportSearch,
  measures: readonly MeasureKey[],
  dimensions: readonly MetricDimension[] = [],
) {
  const compared = comparedPeriod(search)
  return endpointQuery(queryMetrics, {
    params: { region_id: context.region.regionId },
    body: {
      measures: [...measures],
      dimensions: [...dimensions],
      ...toSelection(context, search),
      compare_start_date: compared?.start_date ?? null,
      compare_end_date: compared?.end_date ?? null,
      ...(search.parking_limit === undefined ? {} : { parking_limit: search.parking_limit }),
    },
  })
}

interface Query<Response> {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<Response>
}

/** Combines several queries into one whose result has each response under its name. */
export const allQueries = <Responses extends object>(queries: {
  [Name in keyof Responses]: Query<Responses[Name]>
}): Query<Responses> => ({
  queryKey: Object.values<Query<unknown>>(queries).map(({ queryKey }) => queryKey),
  queryFn: async (context) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries<Query<unknown>>(queries).map(async ([name, { queryFn }]) => [
          name,
          await queryFn(context),
        ]),
      ),
    ) as Responses,
})

interface TileMeasure {
  /** The requested measures, in the order of the response. */
  measures: readonly MeasureKey[]
  response: MetricsResponse
  measure: MeasureKey
}

/** A measure as a tile: its total, the compared period and its series. */
export function measureTile(
  context: ReportContext,
  search: ReportSearch,
  { measures, response, measure }: TileMeasure,
  t: TFunction,
): Metric {
  const index = measures.indexOf(measure)
  const { unit, scale, format } = measureFormat(measure, context.region.isMetric, t)
  const scaled = (value: number | null | undefined): number | null => (value == null ? null : scale(value))
  const compared = comparedPeriod(search)
  return {
    label: t(`reporting:measure.${measure}.name`),
    value: scaled(response.period.totals[index]),
    format,
    unit,
    definition: t(`reporting:measure.${measure}.definition`),
    history: response.period.rows.map(({ values }) => scaled(values[index])),
    missingReason: t('reporting:missing'),
    more: createElement(RecordsLink, { measure }),
    ...(response.comparison && compared
      ? {
          comparisons: [
            toComparison({
              key: 'compared',
              value: scaled(response.comparison.totals[index]),
              period: response.period,
              compared,
              firstDay: response.first_day,
              getName: (days) => formatPeriod(days, context.language),
            }),
          ],
        }
      : {}),
  }
}

/**
 * One line about the data: region, days, newest fact, missing hours of feeds, and figures that are still
 * being prepared.
 */
export function reportFreshness(
  { region, operators, language }: ReportContext,
  {
    period,
    newest_fact: newest,
    coverage,
    pending_days: pending,
    without_fleet: withoutFleet,
  }: MetricsResponse,
  t: TFunction,
): string {
  const gaps = coverage.filter(({ share }) => share !== null && share < 0.995)
  return [
    region.text,
    formatPeriod(period, language),
    newest === null
      ? t('reporting:freshness.none')
      : t('reporting:freshness.newest', { time: formatDateTime(newest, region.timezone) }),
    ...(gaps.length
      ? [
          t('reporting:freshness.gaps', {
            operators: gaps
              .map(({ operator, share }) => `${operatorName(operators, operator)} ${formatPercent(share)}`)
              .join(', '),
          }),
        ]
      : []),
    ...(withoutFleet.length
      ? [
          t('reporting:freshness.withoutFleet', {
            operators: withoutFleet.map(({ operator }) => operatorName(operators, operator)).join(', '),
          }),
        ]
      : []),
    ...(pending > 0 ? [t('reporting:freshness.pending', { count: pending })] : []),
  ].join(' · ')
}

/** The name of an operator, or its slug if it is unknown. */
export const operatorName = (operators: readonly Operator[] | undefined, slug: string): string =>
  operators?.find((operator) => operator.slug === slug)?.name ?? slug

/** The color of an operator; undefined if it has none. */
export const operatorColor = ({ operators }: ReportContext, slug: string): string | undefined =>
  operators?.find((operator) => operator.slug === slug)?.colorHex

/** The key of a dimension as text. */
export function formatKey(
  { operators, language }: ReportContext,
  dimension: MetricDimension,
  key: string,
  t: TFunction,
): string {
  const date = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(Date.parse(key))
  switch (dimension) {
    case 'operator':
      return operatorName(operators, key)
    case 'vehicle_type':
      return vehicleTypeName(key)
    case 'propulsion_type':
      return key === '' ? t('reporting:propulsion.unknown') : key.split('+').join(' + ')
    case 'day':
      return date({ month: 'short', day: 'numeric', year: 'numeric' })
    case 'week':
      return t('reporting:grain.weekOf', { day: date({ month: 'short', day: 'numeric', year: 'numeric' }) })
    case 'month':
      return date({ month: 'long', year: 'numeric' })
    default:
      return key
  }
}

type Unit = (typeof declared)[MeasureKey]['unit']

/**
 * How values of a measure are formatted in a region: `scale` converts the API's unit to the displayed one.
 */
export function measureFormat(
  key: MeasureKey,
  isMetric: boolean,
  t: TFunction,
): { unit: string; scale: (value: number) => number; format: (value: number) => string } {
  const formats: Record<Unit, ReturnType<typeof measureFormat>> = {
    trips: { unit: '', scale: Number, format: formatInteger },
    events: { unit: '', scale: Number, format: formatInteger },
    vehicles: { unit: '', scale: Number, format: formatNumber },
    trips_per_vehicle: { unit: '', scale: Number, format: (value) => formatNumber(value, 2) },
    share: { unit: '', scale: Number, format: formatPercent },
    meters: {
      unit: distanceUnit(isMetric),
      scale: (value) => toDistanceUnit(value, isMetric),
      format: (value) => formatNumber(value, 2),
    },
    seconds: { unit: t('reporting:unit.minutes'), scale: (value) => value / 60, format: formatNumber },
    meters_per_second: {
      unit: t(`reporting:unit.${isMetric ? 'kmh' : 'mph'}`),
      scale: (value) => toDistanceUnit(value * 3600, isMetric),
      format: formatNumber,
    },
    vehicle_seconds: {
      unit: t('reporting:unit.hours'),
      scale: (value) => value / 3600,
      format: formatInteger,
    },
  }
  const format = formats[declared[key].unit]
  // Vehicles park for hours or days, and totals are large.
  if (key === 'parked_mean' || key === 'parked_median')
    return { ...formats.vehicle_seconds, format: formatNumber }
  if (key === 'duration_total') return formats.vehicle_seconds
  return key === 'distance_total' ? { ...format, format: formatInteger } : format
}

/** A value with its unit, for a table cell. */
export function formatMeasure(
  key: MeasureKey,
  value: number | null,
  isMetric: boolean,
  t: TFunction,
): string {
  const { unit, scale, format } = measureFormat(key, isMetric, t)
  return isMissing(value) ? t('kit:notAvailable') : `${format(scale(value))}${unit ? ` ${unit}` : ''}`
}

/**
 * The series of a measure by a time dimension (first key) and an optional group (second key), in the order of
 * the response.
 */
function toSeries(
  context: ReportContext,
  period: MetricsResponse['period'],
  { measure, index, group, scale = Number }: TimeSeries,
  t: TFunction,
): { times: string[]; series: ChartSeries[] } {
  const times = [...new Set(period.rows.map(({ keys }) => keys[0] ?? ''))]
  const groups = [...new Set(period.rows.map(({ keys }) => keys[1] ?? ''))].toSorted()
  const values = new Map(
    period.rows.map(({ keys, values: allValues }) => [keys.join('\t'), allValues[index] ?? null]),
  )
  return {
    times,
    series: groups.map((key) => ({
      key,
      name: group ? formatKey(context, group, key, t) : t(`reporting:measure.${measure}.name`),
      color: group === 'operator' ? operatorColor(context, key) : undefined,
      values: times.map((time) => {
        const value = values.get(group ? `${time}\t${key}` : time) ?? null
        return value === null ? null : scale(value)
      }),
    })),
  }
}

/** The first and last day of the week, month or other grain that begins on `start`. */
function grainDays(start: LocalDay, grain: Grain): { first: LocalDay; last: LocalDay } {
  const next =
    grain === 'month' ? startOfNextMonth(start) : dayFromNumber(dayNumber(start) + (grain === 'week' ? 7 : 1))
  return { first: start, last: dayFromNumber(dayNumber(next) - 1) }
}

/**
 * The number of vehicles permitted to each operator at the times of a response (its first key): the lowest
 * vehicle cap in effect.
 */
export function permittedFleets(
  context: ReportContext,
  {
    policies,
    response: { period },
    grain,
  }: { policies: readonly Policy[]; response: MetricsResponse; grain: Grain },
  t: TFunction,
): ChartSeries[] {
  const times = [...new Set(period.rows.map(({ keys }) => keys[0] ?? ''))]
  const slugs = [...new Set(period.rows.map(({ keys }) => keys[1] ?? ''))].toSorted()
  const findCap = (slug: string, time: string): number | null => {
    const { first, last } = grainDays(time, grain)
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
  const series = slugs.map((slug) => ({ slug, values: times.map((time) => findCap(slug, time)) }))
  const permitted = series.filter(({ values }) => values.some((value) => value !== null))
  const hasEqualCaps = new Set(series.map(({ values }) => values.join())).size === 1
  return (hasEqualCaps ? permitted.slice(0, 1) : permitted).map(({ slug, values }) => ({
    key: `permitted:${slug}`,
    name: hasEqualCaps
      ? t('reporting:tripCounts.permittedEach')
      : t('reporting:tripCounts.permitted', { operator: operatorName(context.operators, slug) }),
    isLimit: true,
    values,
  }))
}

interface TimeSeries {
  measure: MeasureKey
  /** Index of the measure in the request. */
  index: number
  group?: MetricDimension
  scale?: (value: number) => number
}

interface TimeChart extends TimeSeries {
  response: MetricsResponse
  kind: SeriesChart['kind']
  grain: Grain
}

/** A chart of one measure by time and group, with the compared period. */
export function timeChart(
  context: ReportContext,
  search: ReportSearch,
  { response, kind, grain, ...request }: TimeChart,
  t: TFunction,
): SeriesChart {
  const seriesFor = (period: MetricsResponse['period']) => toSeries(context, period, request, t)
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
