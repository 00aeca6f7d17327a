import type { TFunction } from 'i18next'
import { FleetMethod } from '#contract/fleet-figures.ts'
import type { MeasureKey, MetricsResponse } from '#contract/metrics.ts'
import { listPolicies } from '#contract/policies.ts'
import type { Policy } from '#contract/policy.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { formatInteger, formatNumber } from '#web/kit/format.ts'
import { enumParam, searchParams } from '#web/shell/search-params.ts'
import { endpointQuery } from '#web/data/query.ts'
import type { Dashboard } from './dashboard.tsx'
import { formatKey, formatMeasure } from './measure-format.ts'
import { reportFreshness } from './measure-tile.ts'
import { combineQueries, metricsQuery } from './report-queries.ts'
import { timeChart, vehicleCapSeries } from './time-chart.ts'
import {
  grainFilter,
  groupFilter,
  readReportSearch,
  getReportFilters,
  type ReportContext,
  type ReportSearch,
} from './report-search.ts'

const methods = FleetMethod.options
const readMethod = searchParams({ method: enumParam(methods, 'avg') })

interface TripCountsData {
  search: ReportSearch
  method: (typeof methods)[number]
  byTime: MetricsResponse
  byType: MetricsResponse
  /** Published caps of the entire fleet; empty if the fleet is filtered or not grouped by operator. */
  caps: { data: Policy[] }
}

const tableMeasures = [
  'trips',
  'trips_per_vehicle',
  ...methods.map((method) => `fleet_${method}` as const),
] as const

/** Vehicle & Trip Counts: trips and fleet by day, week or month, and by operator and vehicle type. */
export const dashboard = (context: ReportContext): Dashboard<ReportSearch, TripCountsData> => ({
  page: 'tripCounts',
  context: ({ byType }, t) => reportFreshness(context, byType, t),
  readSearch: (search) => ({ ...readReportSearch(search), ...readMethod(search) }),
  filters: (t) =>
    getReportFilters(context, t, [
      grainFilter(t),
      groupFilter(t),
      {
        kind: 'choice',
        key: 'method',
        label: t('reporting:method.label'),
        defaultValue: 'avg',
        options: methods.map((value) => ({ value, text: t(`reporting:measure.fleet_${value}.name`) })),
      },
    ]),
  query: (search) => {
    const { grain = 'day', group = 'operator' } = search
    const { method = 'avg' } = readMethod(search)
    const queries = combineQueries({
      byTime: metricsQuery(context, search, ['trips', `fleet_${method}`], [grain, group]),
      byType: metricsQuery(context, search, tableMeasures, ['operator', 'vehicle_type']),
      caps:
        group === 'operator' && !search.vehicle_types
          ? endpointQuery(listPolicies, {
              body: { region_id: context.region.regionId, types: ['vehicle_cap'], statuses: ['published'] },
            })
          : { queryKey: ['no caps'], queryFn: async () => ({ data: [] }) },
    })
    return {
      queryKey: queries.queryKey,
      queryFn: async (call) => ({ search, method, ...(await queries.queryFn(call)) }),
    }
  },
  isEmpty: ({ byType }) => byType.period.rows.length === 0,
  charts: (['trips', 'fleet'] as const).map((which, index) => (data, t) => {
    const { search, byTime, method, caps } = data
    const { grain = 'day', group = 'operator' } = search
    const measure: MeasureKey = which === 'trips' ? 'trips' : `fleet_${method}`
    const chart = timeChart(
      context,
      search,
      { response: byTime, kind: which === 'trips' ? 'stacked-bar' : 'line', measure, index, grain, group },
      t,
    )
    return {
      title: t(`reporting:tripCounts.${which}`, {
        grain: t(`reporting:grain.by_${grain}`),
        method: t(`reporting:measure.fleet_${method}.name`),
      }),
      context: t(`reporting:measure.${measure}.definition`),
      unit: {
        name: t(`reporting:unit.${which === 'trips' ? 'trips' : 'vehicles'}`),
        format: which === 'trips' ? formatInteger : (value) => formatNumber(value),
      },
      fileName: which === 'trips' ? 'trips' : 'vehicles',
      isWide: true,
      chart:
        which === 'trips'
          ? chart
          : {
              ...chart,
              series: [
                ...chart.series,
                ...vehicleCapSeries(context, { policies: caps.data, response: byTime, grain }, t),
              ],
            },
    }
  }),
  table: ({ byType, method }, t) => (
    <Table
      label={t('reporting:tripCounts.table')}
      rows={byType.period.rows}
      rowKey={({ keys }) => keys.join(' ')}
      fileName="vehicle-and-trip-counts"
      columns={[
        {
          key: 'operator',
          title: t('reporting:group.operator'),
          value: ({ keys }) => formatKey(context, 'operator', keys[0] ?? '', t),
        },
        {
          key: 'vehicle_type',
          title: t('reporting:group.vehicle_type'),
          value: ({ keys }) => formatKey(context, 'vehicle_type', keys[1] ?? '', t),
        },
        ...tableMeasures.flatMap((measure, index) =>
          getMeasureColumns(context, { byType, method }, { measure, index }, t),
        ),
      ]}
      totals={Object.fromEntries(
        tableMeasures.flatMap((measure, index) => {
          const formatTotals = (totals: readonly (number | null)[] | undefined) =>
            formatMeasure(measure, totals?.[index] ?? null, context.region.isMetric, t)
          return [
            [measure, formatTotals(byType.period.totals)],
            [toComparedKey(measure), formatTotals(byType.comparison?.totals)],
          ]
        }),
      )}
    />
  ),
})

type Row = MetricsResponse['period']['rows'][number]

const toComparedKey = (measure: string): string => `${measure}_before`

/** Returns the column of a measure and of the compared period, which hides the other counts of vehicles. */
function getMeasureColumns(
  context: ReportContext,
  { byType: { comparison }, method }: Pick<TripCountsData, 'byType' | 'method'>,
  { measure, index }: { measure: (typeof tableMeasures)[number]; index: number },
  t: TFunction,
): TableColumn<Row>[] {
  const name = t(`reporting:measure.${measure}.name`)
  const column = (key: string, title: string, getValue: (row: Row) => number | null): TableColumn<Row> => ({
    key,
    title,
    isNumber: true,
    isHidden:
      comparison !== null && measure.startsWith('fleet_') && measure !== (`fleet_${method}` as string),
    value: getValue,
    renderCell: (row) => formatMeasure(measure, getValue(row), context.region.isMetric, t),
  })
  const comparedValues = new Map(comparison?.rows.map(({ keys, values }) => [keys.join('\t'), values]))
  return [
    column(measure, name, ({ values }) => values[index] ?? null),
    ...(comparison
      ? [
          column(
            toComparedKey(measure),
            `${name} · ${formatPeriod(comparison, context.language)}`,
            ({ keys }) => comparedValues.get(keys.join('\t'))?.[index] ?? null,
          ),
        ]
      : []),
  ]
}
