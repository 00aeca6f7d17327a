import type { TFunction } from 'i18next'
import {
  type MeasureKey,
  type MetricDimension,
  type MetricsAnswer,
  measures as declared,
  queryMetrics,
} from '#contract/metrics.ts'
import { VehicleType, vehicleTypeTexts } from '#contract/mobility.ts'
import type { Operator } from '#contract/operators.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { distanceUnit, toDistanceUnit } from '#contract/units.ts'
import type { ChartSeries } from '#web/charts/chart.ts'
import { endpointQuery } from '#web/data/query.ts'
import { comparedPeriod, comparisonParams, orderComparison } from '#web/filters/comparison.ts'
import type { Filter } from '#web/filters/filter.ts'
import { chosenPeriod, orderPeriod, periodParams, periodText } from '#web/filters/period.ts'
import { hourRange } from '#web/filters/trip-filters.ts'
import { formatDateTime, formatInteger, formatNumber, formatPercent, isMissing } from '#web/kit/format.ts'
import {
  hours,
  oneOf,
  searchParams,
  type SearchOf,
  slugs,
  someOf,
  weekdays,
} from '#web/shell/search-params.ts'

/** What every report page knows. */
export interface ReportContext {
  region: Region
  /** Undefined while they load. */
  operators: readonly Operator[] | undefined
  today: LocalDay
  language: string
}

const grains = ['day', 'week', 'month'] as const
const groupings = ['operator', 'vehicle_type'] as const

/** URL state of all report pages. */
export const readReportSearch = searchParams(
  {
    ...periodParams,
    ...comparisonParams,
    days: weekdays,
    hours,
    operators: slugs,
    vehicle_types: someOf(VehicleType.options),
    grain: oneOf(grains, 'day'),
    group: oneOf(groupings, 'operator'),
  },
  orderPeriod,
  orderComparison,
)
export type ReportSearch = SearchOf<typeof readReportSearch>

/** The filters of all report pages, and those of one page. */
export const reportFilters = (
  { operators, today }: ReportContext,
  t: TFunction,
  own: readonly Filter[] = [],
): Filter[] => [
  { kind: 'period', today },
  { kind: 'compare', today },
  { kind: 'operators', operators },
  { kind: 'vehicleTypes', label: t('filters:vehicleType.label'), all: t('filters:vehicleType.all') },
  ...own,
  { kind: 'weekdays' },
  { kind: 'hours' },
]
export const grainFilter = (t: TFunction): Filter => ({
  kind: 'choice',
  key: 'grain',
  label: t('reporting:grain.label'),
  usual: 'day',
  options: grains.map((value) => ({ value, text: t(`reporting:grain.${value}`) })),
})
export const groupFilter = (t: TFunction): Filter => ({
  kind: 'choice',
  key: 'group',
  label: t('reporting:group.label'),
  usual: 'operator',
  options: groupings.map((value) => ({ value, text: t(`reporting:group.${value}`) })),
})

/** The question of measures by dimensions, over what the URL selects. */
export function metricsQuery(
  { region, today }: ReportContext,
  search: ReportSearch,
  measures: readonly MeasureKey[],
  dimensions: readonly MetricDimension[] = [],
) {
  const compared = comparedPeriod(search)
  return endpointQuery(queryMetrics, {
    params: { region_id: region.regionId },
    body: {
      measures: [...measures],
      dimensions: [...dimensions],
      ...chosenPeriod(search, today),
      compare_start_date: compared?.start_date ?? null,
      compare_end_date: compared?.end_date ?? null,
      operators: search.operators ?? [],
      vehicle_types: search.vehicle_types ?? [],
      days: search.days ?? [],
      hour_filters: hourRange(search.hours),
    },
  })
}

/** Several questions as one query, each answer under the name of its question. */
export const allQueries = <Name extends string>(
  queries: Readonly<Record<Name, ReturnType<typeof metricsQuery>>>,
) => ({
  queryKey: Object.values<ReturnType<typeof metricsQuery>>(queries).map(({ queryKey }) => queryKey),
  queryFn: async (context: { signal: AbortSignal }): Promise<Record<Name, MetricsAnswer>> =>
    Object.fromEntries(
      await Promise.all(
        Object.entries<ReturnType<typeof metricsQuery>>(queries).map(async ([name, { queryFn }]) => [
          name,
          await queryFn(context),
        ]),
      ),
    ) as Record<Name, MetricsAnswer>,
})

/** One line about the data: region, days, newest fact, missing hours of feeds, figures that are being prepared. */
export function reportFreshness(
  { region, operators, language }: ReportContext,
  { period, newest_fact: newest, coverage, pending_days: pending }: MetricsAnswer,
  t: TFunction,
): string {
  const gaps = coverage.filter(({ share }) => share !== null && share < 0.995)
  return [
    region.text,
    periodText(period, language),
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
    ...(pending > 0 ? [t('reporting:freshness.pending', { count: pending })] : []),
  ].join(' · ')
}

export const operatorName = (operators: readonly Operator[] | undefined, slug: string): string =>
  operators?.find((each) => each.slug === slug)?.name ?? slug

/** A key of a dimension as text. */
export function keyText(
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
      return vehicleTypeTexts[key as VehicleType] ?? key
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

/** How values of a measure are written in a region: `scale` from the unit of the API to the one on screen. */
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
  return formats[declared[key].unit]
}

/** A value with its unit, for a cell of a table. */
export function measureText(key: MeasureKey, value: number | null, isMetric: boolean, t: TFunction): string {
  const { unit, scale, format } = measureFormat(key, isMetric, t)
  return isMissing(value) ? t('kit:notAvailable') : `${format(scale(value))}${unit ? ` ${unit}` : ''}`
}

/** The series of one measure by a time dimension (first) and a group (second), in the order of the answer. */
export function seriesOf(
  context: ReportContext,
  period: MetricsAnswer['period'],
  { measure, group, scale }: { measure: number; group: MetricDimension; scale: (value: number) => number },
  t: TFunction,
): { times: string[]; series: ChartSeries[] } {
  const times = [...new Set(period.rows.map(({ keys }) => keys[0] ?? ''))]
  const groups = [...new Set(period.rows.map(({ keys }) => keys[1] ?? ''))].toSorted()
  const values = new Map(period.rows.map(({ keys, values: all }) => [keys.join('\t'), all[measure] ?? null]))
  return {
    times,
    series: groups.map((key) => ({
      key,
      name: keyText(context, group, key, t),
      color: group === 'operator' ? context.operators?.find(({ slug }) => slug === key)?.colorHex : undefined,
      values: times.map((time) => {
        const value = values.get(`${time}\t${key}`) ?? null
        return value === null ? null : scale(value)
      }),
    })),
  }
}

/** The position of the day, week or month that is not over. */
export function unfinishedAt(
  times: readonly string[],
  grain: (typeof grains)[number],
  { unfinished_day: day }: MetricsAnswer,
): number | undefined {
  if (day === null) return undefined
  const at =
    grain === 'day'
      ? times.indexOf(day)
      : grain === 'month'
        ? times.indexOf(`${day.slice(0, 7)}-01`)
        : times.findLastIndex((time) => time <= day)
  return at < 0 ? undefined : at
}
