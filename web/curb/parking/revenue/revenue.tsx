import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import {
  listPaymentLocationLayers,
  listPaymentOperators,
  type PaymentResponse,
  type PaymentMeasure,
} from '#contract/curb-payments.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { hoursOfRange } from '#contract/period.ts'
import { endpointQuery } from '#web/data/query.ts'
import { isMissing } from '#web/kit/format.ts'
import { column } from '#web/kit/table/table-column.ts'
import { Table } from '#web/kit/table/table.tsx'
import { averageKnownWeek } from '#web/reporting/average-week.ts'
import type { Dashboard } from '#web/reporting/dashboard.tsx'
import { formatClock, parseClock, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import { formatScaleMoney } from '../money-bins.ts'
import { MoneyMap } from '../money-map.tsx'
import {
  getMeasureFormat,
  readRevenueSearch,
  type RevenueContext,
  getRevenueFilters,
  formatFreshness,
  revenueQuery,
  type RevenueSearch,
  revenueTile,
  revenueTimeChart,
} from './revenue-report.ts'

interface RevenueData {
  search: RevenueSearch
  byTime: PaymentResponse
  byHour: PaymentResponse
  byType: PaymentResponse
  byVendor: PaymentResponse
  byZone: PaymentResponse
  byGroup: PaymentResponse
  layers: EndpointOutput<typeof listPaymentLocationLayers>
  valueLists: EndpointOutput<typeof listPaymentOperators>
}

const tiles = [
  'revenue',
  'refunded',
  'payments',
  'sessions',
  'revenue_per_session',
  'revenue_per_space_hour',
] as const satisfies readonly PaymentMeasure[]
const tableMeasures = [
  'revenue',
  'received',
  'refunded',
  'payments',
  'sessions',
  'purchased_hours',
  'revenue_per_session',
  'revenue_per_space_hour',
] as const satisfies readonly PaymentMeasure[]

/** Revenue of parking payments by time, zone, payment type and vendor. */
export const parkingRevenue = (context: RevenueContext): Dashboard<RevenueSearch, RevenueData> => ({
  title: (t) => t('shell:pages.parkingRevenue'),
  page: 'parkingRevenue',
  context: ({ byTime }, t) => formatFreshness(context, byTime, t),
  readSearch: readRevenueSearch,
  filters: (t, data) =>
    getRevenueFilters(
      context,
      {
        vendors: data?.valueLists.vendors ?? [],
        types: data?.valueLists.payment_types ?? [],
        zones: data?.layers.zones ?? [],
      },
      t,
    ),
  query: (search) => {
    const { grain = 'day', group = 'zone' } = search
    const params = { region_id: context.region.regionId }
    const queries = {
      byTime: revenueQuery(context, search, tiles, [grain]),
      byHour: revenueQuery(context, search, ['revenue'], ['day_of_week', 'hour_of_day']),
      byType: revenueQuery(context, search, ['revenue'], ['payment_type']),
      byVendor: revenueQuery(context, search, ['revenue'], ['vendor']),
      byZone: revenueQuery(context, search, ['revenue'], ['zone']),
      byGroup: revenueQuery(context, search, tableMeasures, [group]),
      layers: endpointQuery(listPaymentLocationLayers, { params }),
      valueLists: endpointQuery(listPaymentOperators, { params }),
    }
    return {
      queryKey: Object.values(queries).map(({ queryKey }) => queryKey),
      queryFn: async (call) => {
        const [byTime, byHour, byType, byVendor, byZone, byGroup, layers, valueLists] = await Promise.all([
          queries.byTime.queryFn(call),
          queries.byHour.queryFn(call),
          queries.byType.queryFn(call),
          queries.byVendor.queryFn(call),
          queries.byZone.queryFn(call),
          queries.byGroup.queryFn(call),
          queries.layers.queryFn(call),
          queries.valueLists.queryFn(call),
        ])
        return { search, byTime, byHour, byType, byVendor, byZone, byGroup, layers, valueLists }
      },
    }
  },
  isEmpty: ({ byTime }) => byTime.period.rows.length === 0,
  empty: (t) => ({ title: t('curb:payments.empty.title'), text: t('curb:payments.empty.text') }),
  tiles: tiles.map(
    (measure) =>
      ({ search, byTime }, t) =>
        revenueTile(context, search, { measures: tiles, response: byTime, measure }, t),
  ),
  charts: [
    ({ search, byTime }, t) => ({
      title: t('curb:payments.measure.revenue.name'),
      context: t(`curb:payments.basisText.${byTime.basis}`),
      unit: getMoneyUnit(context),
      fileName: 'parking-revenue',
      isWide: true,
      chart: revenueTimeChart(context, search, { response: byTime, index: tiles.indexOf('revenue') }, t),
    }),
    ({ search, byHour }, t) => ({
      title: t('curb:payments.chart.byHour'),
      context: t(`curb:payments.basisText.${byHour.basis}`),
      unit: getMoneyUnit(context),
      fileName: 'parking-revenue-by-hour-and-weekday',
      isWide: true,
      chart: {
        kind: 'heat-calendar',
        values: averageWeekValues(context, byHour),
        days: search.days,
        // The end of the range in the URL is exclusive.
        hours: search.hours && hoursOfRange([search.hours[0], search.hours[1] - 1]),
      },
    }),
    ({ byType }, t) => ({
      title: t('curb:payments.chart.byType'),
      context: t('curb:payments.measure.revenue.definition'),
      unit: getMoneyUnit(context),
      fileName: 'parking-revenue-by-payment-type',
      chart: toRankedChart(context, byType, 'payment_type', t),
    }),
    ({ byVendor }, t) => ({
      title: t('curb:payments.chart.byVendor'),
      context: t('curb:payments.measure.revenue.definition'),
      unit: getMoneyUnit(context),
      fileName: 'parking-revenue-by-vendor',
      chart: toRankedChart(context, byVendor, 'vendor', t),
    }),
  ],
  belowCharts: ({ byZone, layers }, t) => <ZoneMap context={context} byZone={byZone} layers={layers} t={t} />,
  table: renderRevenueTable(context),
})

const getMoneyUnit = (context: RevenueContext) => ({
  name: context.region.currencyCode,
  format: (value: number | null) => formatScaleMoney(value, context.region.currencyCode),
})

/** Returns a chart of payment types or vendors by revenue, highest first. */
function toRankedChart(
  context: RevenueContext,
  { period }: PaymentResponse,
  group: 'payment_type' | 'vendor',
  t: TFunction,
) {
  const { scale } = getMeasureFormat('revenue', context)
  const ranked = period.rows
    .map(({ keys, values }) => ({
      name: keys[0] || t('curb:payments.unnamed'),
      value: scale(values[0] ?? 0),
    }))
    .toSorted((a, b) => b.value - a.value)
  return {
    kind: 'ranked-bar' as const,
    axis: { title: t(`curb:payments.group.${group}`), labels: ranked.map(({ name }) => name) },
    series: [
      {
        key: 'revenue',
        name: t('curb:payments.measure.revenue.name'),
        values: ranked.map(({ value }) => value),
      },
    ],
  }
}

/** Returns the average revenue of each hour of each weekday, Monday first. */
function averageWeekValues(
  context: RevenueContext,
  { period, newest_payment: newest }: PaymentResponse,
): (number | null)[][] {
  const { scale } = getMeasureFormat('revenue', context)
  const week = averageKnownWeek({ period, newest }, context.region.timezone)
  return week.map((hours) => hours.map((value) => (value === null ? null : scale(value))))
}

interface ZoneMapProps {
  context: RevenueContext
  byZone: PaymentResponse
  layers: RevenueData['layers']
  t: TFunction
}

/** Curb zones colored by their revenue. */
function ZoneMap({ context, byZone, layers, t }: ZoneMapProps) {
  const places = useMemo(() => {
    const { scale, format } = getMeasureFormat('revenue', context)
    const values = new Map(byZone.period.rows.map(({ keys, values: [value] }) => [keys[0] ?? '', value ?? 0]))
    return layers.zones.flatMap(({ curb_zone_id: id, name, geometry }) => {
      const value = values.get(id)
      return value === undefined
        ? []
        : [{ id, name, value: scale(value), cardText: format(scale(value)), geometry }]
    })
  }, [context, byZone, layers])
  if (!places.length) return null
  return (
    <section>
      <h2>{t('curb:payments.map.zones')}</h2>
      <MoneyMap
        region={context.region}
        places={places}
        title={t('curb:payments.map.zones')}
        legendTitle={t('curb:payments.measure.revenue.name')}
        legendLabel={t('curb:payments.map.legend')}
        at={context.at}
        selected={null}
        onSelect={() => undefined}
      />
    </section>
  )
}

/** Returns the table of all measures by the selected group. */
const renderRevenueTable =
  (context: RevenueContext) =>
  ({ search, byGroup, layers }: RevenueData, t: TFunction) => {
    const { group = 'zone' } = search
    const names = new Map<string, string>([
      ...layers.zones.map(({ curb_zone_id: id, name }) => [id, name] as const),
      ...layers.locations.map(({ location_id: id, name }) => [id, name] as const),
    ])
    const isByPlace = group === 'zone' || group === 'location'
    const getName = (key: string): string => {
      if (key === '') return t(isByPlace ? 'curb:payments.noPlace' : 'curb:payments.unnamed')
      if (group === 'hour_of_day') return formatClock({ hour: Number(key), minute: 0 })
      return names.get(key) ?? key
    }
    type Row = PaymentResponse['period']['rows'][number]
    const formatCell = (measure: PaymentMeasure, value: number | null | undefined): string => {
      const { scale, format } = getMeasureFormat(measure, context)
      return isMissing(value) ? t('kit:notAvailable') : format(scale(value))
    }
    return (
      <Table
        label={t('curb:payments.table')}
        rows={byGroup.period.rows}
        rowKey={({ keys }) => keys.join(' ')}
        fileName="parking-revenue"
        defaultSort={group === 'hour_of_day' ? undefined : '-revenue'}
        columns={[
          column('group', t(`curb:payments.group.${group}`), ({ keys }: Row) => getName(keys[0] ?? ''), {
            width: 180,
            renderCell: ({ keys }: Row) => {
              const name = getName(keys[0] ?? '')
              return group === 'hour_of_day' ? formatTimeOfDay(parseClock(name)) : name
            },
          }),
          ...tableMeasures.map((measure, index) =>
            column(
              measure,
              t(`curb:payments.measure.${measure}.name`),
              ({ values }: Row) => {
                const value = values[index] ?? null
                return value === null ? null : getMeasureFormat(measure, context).scale(value)
              },
              { isNumber: true, renderCell: ({ values }: Row) => formatCell(measure, values[index]) },
            ),
          ),
        ]}
        totals={Object.fromEntries(
          tableMeasures.map((measure, index) => [measure, formatCell(measure, byGroup.period.totals[index])]),
        )}
      />
    )
  }
