import type { TFunction } from 'i18next'
import {
  type CurbDimension,
  type CurbMeasure,
  curbMeasures,
  type CurbMetricsResponse,
  curbSources,
  queryCurbMetrics,
} from '#contract/curb-sessions.ts'
import { cdsVehicleTypes } from '#contract/cds-events.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { SeriesChart } from '#web/charts/chart.ts'
import { endpointQuery } from '#web/data/query.ts'
import { comparedPeriod, comparisonParams, orderComparison } from '#web/filters/comparison.ts'
import type { Filter } from '#web/filters/filter.ts'
import {
  selectedPeriod,
  dayWithin,
  orderPeriod,
  partialBuckets,
  periodParams,
  formatPeriod,
} from '#web/filters/period.ts'
import { hourRange } from '#web/filters/trip-filters.ts'
import {
  getCurrencyDecimals,
  formatDateTime,
  formatInteger,
  formatMoney,
  formatNumber,
  formatPercent,
} from '#web/kit/format.ts'
import type { Metric } from '#web/kit/metric-tile.tsx'
import {
  enumListParam,
  enumParam,
  hours,
  type SearchOf,
  searchParams,
  weekdays,
} from '#web/shell/search-params.ts'

/** The input of all curb pages. */
export interface CurbContext {
  region: Region
  today: LocalDay
  language: string
}

export const curbGrains = ['day', 'week', 'month'] as const
export const curbGroups = ['zone', 'area', 'vehicle_type', 'purpose'] as const

export const readCurbSearch = searchParams(
  {
    ...periodParams,
    ...comparisonParams,
    days: weekdays,
    hours,
    source: enumParam(curbSources, 'measured'),
    classes: enumListParam(cdsVehicleTypes),
    grain: enumParam(curbGrains, 'day'),
    group: enumParam(curbGroups, 'zone'),
  },
  orderPeriod,
  orderComparison,
)
export type CurbSearch = SearchOf<typeof readCurbSearch>

/** Formats a user class, vehicle type or purpose; a city's own term has spaces instead of underscores. */
export const formatTerm = (term: string, t: TFunction): string =>
  term === ''
    ? t('curb:metrics.unspecified')
    : t(`curb:words.${term}`, { defaultValue: term.replaceAll('_', ' ') })

export const getCurbFilters = ({ today }: CurbContext, t: TFunction): Filter[] => [
  { kind: 'period', today, subject: 'curb' },
  { kind: 'compare', today },
  {
    kind: 'choice',
    key: 'source',
    label: t('curb:metrics.source.label'),
    defaultValue: 'measured',
    options: curbSources.map((value) => ({ value, text: t(`curb:metrics.source.${value}`) })),
  },
  {
    kind: 'choices',
    key: 'classes',
    label: t('curb:metrics.classes'),
    all: t('curb:metrics.allClasses'),
    options: cdsVehicleTypes.map((value) => ({ value, text: formatTerm(value, t) })),
  },
  {
    kind: 'choice',
    key: 'grain',
    label: t('reporting:grain.label'),
    defaultValue: 'day',
    options: curbGrains.map((value) => ({ value, text: t(`reporting:grain.${value}`) })),
  },
  {
    kind: 'choice',
    key: 'group',
    label: t('curb:metrics.group.label'),
    defaultValue: 'zone',
    options: curbGroups.map((value) => ({ value, text: t(`curb:metrics.group.${value}`) })),
  },
  { kind: 'weekdays' },
  { kind: 'hours' },
]

/** Returns the request for measures by dimensions over the selection of the URL. */
export function curbQuery(
  { region, today }: CurbContext,
  search: CurbSearch,
  measures: readonly CurbMeasure[],
  dimensions: readonly CurbDimension[] = [],
) {
  const compared = comparedPeriod(search)
  return endpointQuery(queryCurbMetrics, {
    params: { region_id: region.regionId },
    body: {
      measures: [...measures],
      dimensions: [...dimensions],
      ...selectedPeriod(search, today),
      compare_start_date: compared?.start_date ?? null,
      compare_end_date: compared?.end_date ?? null,
      days: search.days ?? [],
      hour_filters: hourRange(search.hours),
      source: search.source ?? 'measured',
      vehicle_types: search.classes ?? [],
    },
  })
}

/** Returns how values of a measure are formatted: `scale` converts the API's unit to the displayed one. */
export function getMeasureFormat(
  measure: CurbMeasure,
  { region }: CurbContext,
  t: TFunction,
): { unit: string; scale: (value: number) => number; format: (value: number | null) => string } {
  switch (curbMeasures[measure].unit) {
    case 'seconds':
      return { unit: t('curb:metrics.unit.minutes'), scale: (value) => value / 60, format: formatNumber }
    case 'share':
      return { unit: '', scale: Number, format: formatPercent }
    case 'sessions_per_space_hour':
      return {
        unit: t('curb:metrics.unit.perSpaceHour'),
        scale: Number,
        format: (value) => formatNumber(value, 2),
      }
    case 'minor_units':
      return {
        unit: '',
        scale: (value) => value / 10 ** getCurrencyDecimals(region.currencyCode),
        format: (value) => formatMoney(value, region.currencyCode),
      }
    default:
      return { unit: '', scale: Number, format: formatInteger }
  }
}

/** Returns a measure as a tile: its total, the compared period and its series. */
export function curbTile(
  context: CurbContext,
  search: CurbSearch,
  {
    measures,
    response,
    measure,
  }: { measures: readonly CurbMeasure[]; response: CurbMetricsResponse; measure: CurbMeasure },
  t: TFunction,
): Metric {
  const index = measures.indexOf(measure)
  const { unit, scale, format } = getMeasureFormat(measure, context, t)
  const toScaled = (value: number | null | undefined): number | null => (value == null ? null : scale(value))
  const compared = comparedPeriod(search)
  return {
    label: t(`curb:measure.${measure}.name`),
    value: toScaled(response.period.totals[index]),
    format,
    unit,
    definition: t(`curb:measure.${measure}.definition`),
    history: response.period.rows.map(({ values }) => toScaled(values[index])),
    missingReason: t('curb:metrics.missing'),
    ...(response.comparison && compared
      ? {
          comparisons: [
            {
              key: 'compared',
              name: formatPeriod(compared, context.language),
              value: toScaled(response.comparison.totals[index]),
            },
          ],
        }
      : {}),
  }
}

/** Formats a day, week or month; `key` is its first day. */
export function formatGrainPeriod(
  grain: (typeof curbGrains)[number],
  key: string,
  { language }: Pick<CurbContext, 'language'>,
  t: TFunction,
): string {
  const dayText = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    ...(grain === 'month'
      ? { month: 'long', year: 'numeric' }
      : { month: 'short', day: 'numeric', year: 'numeric' }),
  }).format(Date.parse(key))
  return grain === 'week' ? t('reporting:grain.weekOf', { day: dayText }) : dayText
}

interface CurbTimeChart {
  response: CurbMetricsResponse
  measure: CurbMeasure
  /** Index of the measure in the request. */
  index: number
  kind: SeriesChart['kind']
}

/** Returns a chart of one measure by time, with the compared period. */
export function curbTimeChart(
  context: CurbContext,
  search: CurbSearch,
  { response, measure, index, kind }: CurbTimeChart,
  t: TFunction,
): SeriesChart {
  const { grain = 'day' } = search
  const { scale } = getMeasureFormat(measure, context, t)
  const toSeries = (period: CurbMetricsResponse['period']) => [
    {
      key: measure,
      name: t(`curb:measure.${measure}.name`),
      values: period.rows.map(({ values }) => {
        const value = values[index] ?? null
        return value === null ? null : scale(value)
      }),
    },
  ]
  const compared = comparedPeriod(search)
  const times = response.period.rows.map(({ keys }) => keys[0] ?? '')
  return {
    kind,
    axis: {
      title: t(`reporting:grain.${grain}`),
      labels: times.map((time) => formatGrainPeriod(grain, time, context, t)),
      ...partialBuckets(times, grain, {
        start: response.period.start_date,
        unfinishedDay: dayWithin(response.period, context.today),
        language: context.language,
      }),
    },
    series: toSeries(response.period),
    ...(response.comparison && compared
      ? { before: { name: formatPeriod(compared, context.language), series: toSeries(response.comparison) } }
      : {}),
  }
}

/** Formats a line about the data: region, days, newest event, coverage, problems, pending days. */
export function formatCurbFreshness(
  { region, language }: CurbContext,
  { period, newest_event: newest, coverage, findings, pending_days: pending }: CurbMetricsResponse,
  t: TFunction,
): string {
  const problemCount = findings.reduce((sum, { count }) => sum + count, 0)
  return [
    region.text,
    formatPeriod(period, language),
    newest === null
      ? t('curb:metrics.freshness.none')
      : t('curb:metrics.freshness.newest', { time: formatDateTime(newest, region.timezone) }),
    t('curb:metrics.freshness.zones', {
      measured: formatInteger(coverage.measured_zones),
      zones: formatInteger(coverage.zones),
    }),
    ...(coverage.share === null
      ? []
      : [t('curb:metrics.freshness.online', { share: formatPercent(coverage.share) })]),
    ...(problemCount > 0
      ? [t('curb:metrics.freshness.problems', { count: problemCount, shown: formatInteger(problemCount) })]
      : []),
    ...(pending > 0 ? [t('reporting:freshness.pending', { count: pending })] : []),
  ].join(' · ')
}
