import type { TFunction } from 'i18next'
import {
  getAggregatedCounts,
  type PaymentResponse,
  paymentBases,
  type PaymentDimension,
  type PaymentMeasure,
  paymentMeasures,
} from '#contract/curb-payments.ts'
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
  type Period,
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
} from '#web/kit/format.ts'
import type { Metric } from '#web/kit/metric-tile.tsx'
import {
  enumParam,
  hours,
  listParam,
  type SearchOf,
  searchParams,
  text,
  weekdays,
} from '#web/shell/search-params.ts'
import { formatGrainPeriod } from '../../management/curb-report.ts'
import type { PaymentChoices } from '../transactions/transactions-search.ts'

/** The input of the page. */
export interface RevenueContext {
  region: Region
  today: LocalDay
  getDefaultPeriod: (today: LocalDay) => Period
  language: string
  /** When the page was opened, in ms. */
  at: number
}

const grains = ['day', 'week', 'month'] as const
export const revenueGroups = ['zone', 'location', 'payment_type', 'vendor', 'hour_of_day'] as const
const textList = listParam(text(500))

export const readRevenueSearch = searchParams(
  {
    ...periodParams,
    ...comparisonParams,
    days: weekdays,
    hours,
    basis: enumParam(paymentBases, 'paid'),
    grain: enumParam(grains, 'day'),
    group: enumParam(revenueGroups, 'zone'),
    types: textList,
    vendors: textList,
    zones: textList,
  },
  orderPeriod,
  orderComparison,
)
export type RevenueSearch = SearchOf<typeof readRevenueSearch>

export function getRevenueFilters(
  { today, getDefaultPeriod }: RevenueContext,
  { vendors, types, zones }: PaymentChoices,
  t: TFunction,
): Filter[] {
  const getLabel = (key: string): string => t(`curb:payments.filter.${key}`)
  return [
    { kind: 'period', today, getDefault: getDefaultPeriod, subject: 'curb' },
    { kind: 'compare', today, getDefault: getDefaultPeriod },
    {
      kind: 'choice',
      key: 'basis',
      label: getLabel('basis'),
      defaultValue: 'paid',
      options: paymentBases.map((value) => ({ value, text: t(`curb:payments.basis.${value}`) })),
    },
    {
      kind: 'choice',
      key: 'grain',
      label: t('reporting:grain.label'),
      defaultValue: 'day',
      options: grains.map((value) => ({ value, text: t(`reporting:grain.${value}`) })),
    },
    {
      kind: 'choice',
      key: 'group',
      label: getLabel('group'),
      defaultValue: 'zone',
      options: revenueGroups.map((value) => ({ value, text: t(`curb:payments.group.${value}`) })),
    },
    {
      kind: 'choices',
      key: 'types',
      label: getLabel('types'),
      all: getLabel('allTypes'),
      options: types.filter((type) => type !== '').map((value) => ({ value, text: value })),
    },
    {
      kind: 'choices',
      key: 'vendors',
      label: getLabel('vendors'),
      all: getLabel('allVendors'),
      options: vendors.map((value) => ({ value, text: value })),
    },
    {
      kind: 'choices',
      key: 'zones',
      label: getLabel('zones'),
      all: getLabel('allZones'),
      options: zones.map(({ curb_zone_id: value, name }) => ({ value, text: name })),
    },
    { kind: 'weekdays' },
    { kind: 'hours' },
  ]
}

/** Returns the request for measures by dimensions over the selection of the URL. */
export function revenueQuery(
  { region, today, getDefaultPeriod }: RevenueContext,
  search: RevenueSearch,
  measures: readonly PaymentMeasure[],
  dimensions: readonly PaymentDimension[],
) {
  const compared = comparedPeriod(search)
  return endpointQuery(getAggregatedCounts, {
    params: { region_id: region.regionId },
    body: {
      measures: [...measures],
      dimensions: [...dimensions],
      basis: search.basis ?? 'paid',
      ...selectedPeriod(search, today, getDefaultPeriod),
      compare_start_date: compared?.start_date ?? null,
      compare_end_date: compared?.end_date ?? null,
      days: search.days ?? [],
      hour_filters: hourRange(search.hours),
      payment_types: search.types ?? [],
      vendors: search.vendors ?? [],
      zones: search.zones ?? [],
    },
  })
}

/** Returns how values of a measure are formatted: `scale` converts the API's unit to the displayed one. */
export function getMeasureFormat(
  measure: PaymentMeasure,
  { region: { currencyCode } }: Pick<RevenueContext, 'region'>,
): { scale: (value: number) => number; format: (value: number | null) => string } {
  switch (paymentMeasures[measure].unit) {
    case 'minor_units':
      return {
        scale: (value) => value / 10 ** getCurrencyDecimals(currencyCode),
        format: (value) => formatMoney(value, currencyCode),
      }
    case 'hours':
      return { scale: Number, format: (value) => formatNumber(value, 0) }
    default:
      return { scale: Number, format: formatInteger }
  }
}

/** Returns a measure as a tile: its total, the compared period and its series. */
export function revenueTile(
  context: RevenueContext,
  search: RevenueSearch,
  {
    measures,
    response,
    measure,
  }: { measures: readonly PaymentMeasure[]; response: PaymentResponse; measure: PaymentMeasure },
  t: TFunction,
): Metric {
  const index = measures.indexOf(measure)
  const { scale, format } = getMeasureFormat(measure, context)
  const toScaled = (value: number | null | undefined): number | null => (value == null ? null : scale(value))
  const compared = comparedPeriod(search)
  return {
    label: t(`curb:payments.measure.${measure}.name`),
    value: toScaled(response.period.totals[index]),
    format,
    unit: '',
    definition: t(`curb:payments.measure.${measure}.definition`),
    history: response.period.rows.map(({ values }) => toScaled(values[index])),
    missingReason: t('curb:payments.missing'),
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

/** Returns the chart of revenue by time, with the compared period. */
export function revenueTimeChart(
  context: RevenueContext,
  search: RevenueSearch,
  { response, index }: { response: PaymentResponse; index: number },
  t: TFunction,
): SeriesChart {
  const { grain = 'day' } = search
  const { scale } = getMeasureFormat('revenue', context)
  const toSeries = ({ rows }: PaymentResponse['period']) => [
    {
      key: 'revenue',
      name: t('curb:payments.measure.revenue.name'),
      values: rows.map(({ values }) => {
        const value = values[index] ?? null
        return value === null ? null : scale(value)
      }),
    },
  ]
  const compared = comparedPeriod(search)
  const times = response.period.rows.map(({ keys }) => keys[0] ?? '')
  return {
    kind: 'bar',
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

/** Formats a line about the data: region, days, basis, newest payment, unlinked revenue, pending days. */
export function formatFreshness(context: RevenueContext, response: PaymentResponse, t: TFunction): string {
  const { region, language } = context
  const { scale, format } = getMeasureFormat('revenue', context)
  return [
    region.text,
    formatPeriod(response.period, language),
    t(`curb:payments.basisText.${response.basis}`),
    ...(response.newest_payment === null
      ? // Payments may be counted before the newest one is known.
        response.period.rows.length
        ? []
        : [t('curb:payments.freshness.none')]
      : [
          t('curb:payments.freshness.newest', {
            time: formatDateTime(response.newest_payment, region.timezone),
          }),
        ]),
    ...(response.unlinked_revenue
      ? [t('curb:payments.freshness.unlinked', { amount: format(scale(response.unlinked_revenue)) })]
      : []),
    ...(response.pending_days > 0
      ? [t('reporting:freshness.pending', { count: response.pending_days })]
      : []),
  ].join(' · ')
}
