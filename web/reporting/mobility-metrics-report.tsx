import type { TFunction } from 'i18next'
import { type MeasureKey, type MetricsResponse, measureKeys } from '#contract/metrics.ts'
import { Table } from '#web/kit/table/table.tsx'
import { flag, searchParams } from '#web/shell/search-params.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { layerOptions } from '#web/map-page/layer-options.ts'
import { type AreaShares, areaSharesTable, loadAreaShares } from './area-shares.tsx'
import type { Dashboard } from './dashboard.tsx'
import { formatMeasure, measureFormat, operatorName } from './measure-format.ts'
import { measureTile, reportFreshness } from './measure-tile.ts'
import { combineQueries, metricsQuery } from './report-queries.ts'
import { readReportSearch, type ReportContext, getReportFilters, type ReportSearch } from './report-search.ts'

const tileMeasures = [
  'trips',
  'fleet_avg',
  'trips_per_vehicle',
  'active_share',
  'utilization',
  'distance_median',
  'duration_median',
  'parking_events',
] as const
const methodMeasures = ['fleet_avg', 'fleet_max', 'fleet_sae_max', 'fleet_daytime_avg'] as const
const readFlags = searchParams({ methods: flag, shares: flag })

interface MobilityMetricsData {
  search: ReportSearch
  hasMethods: boolean
  byDay: MetricsResponse
  byOperator: MetricsResponse
  /** Null unless they are requested. */
  shares: AreaShares | null
}

interface MeasureRow {
  key: MeasureKey
  index: number
}

function formatNameWithUnit(key: MeasureKey, isMetric: boolean, t: TFunction): string {
  const { unit } = measureFormat(key, isMetric, t)
  return `${t(`reporting:measure.${key}.name`)}${unit ? ` (${unit})` : ''}`
}

/** Mobility Metrics: all measures as tiles and by operator. */
export const dashboard = (context: ReportContext): Dashboard<ReportSearch, MobilityMetricsData> => ({
  page: 'mobilityMetrics',
  context: ({ byOperator }, t) => reportFreshness(context, byOperator, t),
  readSearch: (search) => ({ ...readReportSearch(search), ...readFlags(search) }),
  filters: (t, data) => {
    const layers = layerOptions(data?.shares?.layers ?? [])
    return getReportFilters(context, t, [
      { kind: 'flag', key: 'methods', label: t('reporting:mobilityMetrics.methods') },
      { kind: 'flag', key: 'shares', label: t('reporting:shares.show') },
      ...(layers.length
        ? [{ kind: 'layer' as const, layers, layer: data?.shares?.areas?.layer ?? null }]
        : []),
    ])
  },
  query: (search) => {
    const metricsQueries = combineQueries({
      byDay: metricsQuery(context, search, tileMeasures, ['day']),
      byOperator: metricsQuery(context, search, measureKeys, ['operator']),
    })
    const { methods: hasMethods = false, shares: hasShares = false } = readFlags(search)
    return {
      queryKey: [...metricsQueries.queryKey, hasMethods, hasShares && { layer: search.layer }],
      queryFn: async (call) => {
        const [metrics, shares] = await Promise.all([
          metricsQueries.queryFn(call),
          hasShares ? loadAreaShares(context, search, call) : null,
        ])
        return { search, hasMethods, ...metrics, shares }
      },
    }
  },
  belowCharts: ({ shares }, t) => (shares ? areaSharesTable(shares, t) : null),
  isEmpty: ({ byOperator }) => byOperator.period.rows.length === 0,
  tiles: tileMeasures.map(
    (key) =>
      ({ search, byDay }, t) =>
        measureTile(context, search, { measures: tileMeasures, response: byDay, measure: key }, t),
  ),
  table: ({ search, hasMethods, byOperator }, t) => {
    const toScaled = (key: MeasureKey, value: number | null | undefined): number | null =>
      value == null ? null : measureFormat(key, context.region.isMetric, t).scale(value)
    return (
      <Table
        label={t('reporting:mobilityMetrics.table')}
        rows={(hasMethods ? methodMeasures : measureKeys).map((key: MeasureKey) => ({
          key,
          index: measureKeys.indexOf(key),
        }))}
        rowKey={({ key }) => key}
        fileName="mobility-metrics"
        columns={[
          {
            key: 'measure',
            title: t('reporting:mobilityMetrics.measure'),
            // In cells the unit is beside the value; a download has it in the name.
            value: ({ key }) => formatNameWithUnit(key, context.region.isMetric, t),
            renderCell: ({ key }) => t(`reporting:measure.${key}.name`),
            width: 240,
          },
          ...byOperator.period.rows.map(({ keys: [operator = ''], values }) => ({
            key: `operator-${operator}`,
            title: operatorName(context.operators, operator),
            isNumber: true,
            canSort: false,
            value: ({ key, index }: MeasureRow) => toScaled(key, values[index]),
            renderCell: ({ key, index }: MeasureRow) =>
              formatMeasure(key, values[index] ?? null, context.region.isMetric, t),
          })),
          {
            key: 'city',
            title: t(`reporting:mobilityMetrics.${search.operators?.length ? 'chosenOperators' : 'city'}`),
            isNumber: true,
            canSort: false,
            value: ({ key, index }) => toScaled(key, byOperator.period.totals[index]),
            renderCell: ({ key, index }) => (
              <b>{formatMeasure(key, byOperator.period.totals[index] ?? null, context.region.isMetric, t)}</b>
            ),
          },
          ...(byOperator.comparison
            ? [
                {
                  key: 'compared',
                  title: formatPeriod(byOperator.comparison, context.language),
                  isNumber: true,
                  canSort: false,
                  value: ({ key, index }: MeasureRow) => toScaled(key, byOperator.comparison?.totals[index]),
                  renderCell: ({ key, index }: MeasureRow) =>
                    formatMeasure(
                      key,
                      byOperator.comparison?.totals[index] ?? null,
                      context.region.isMetric,
                      t,
                    ),
                },
              ]
            : []),
          {
            key: 'definition',
            title: t('reporting:mobilityMetrics.definition'),
            canSort: false,
            width: 360,
            value: ({ key }) => t(`reporting:measure.${key}.definition`),
          },
        ]}
      />
    )
  },
})
