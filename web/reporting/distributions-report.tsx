import { Button } from '@mantine/core'
import { IconMap2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { ReactElement } from 'react'
import type {
  Distribution,
  DistributedValue,
  DistributionResponse,
  MeasureKey,
  MetricsResponse,
} from '#contract/metrics.ts'
import { metersPerMile } from '#contract/units.ts'
import { formatParkedDuration } from '#web/filters/parked-durations.ts'
import { formatInteger, formatNumber, formatPercent } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import { type PageKey, pagePath } from '#web/shell/pages.ts'
import type { Dashboard, DashboardChart } from './dashboard.tsx'
import { formatKey, measureFormat, operatorColor } from './measure-format.ts'
import { measureTile, reportFreshness } from './measure-tile.ts'
import { combineQueries, distributionQuery, metricsQuery } from './report-queries.ts'
import { timeChart } from './time-chart.ts'
import {
  grainFilter,
  groupFilter,
  parkingLimits,
  readReportSearch,
  type ReportContext,
  getReportFilters,
  type ReportSearch,
} from './report-search.ts'

export type DistributionPage =
  | 'tripDistance'
  | 'tripDuration'
  | 'tripDistanceByTech'
  | 'tripSpeedByTech'
  | 'parkingTime'

interface PageDeclaration {
  value: DistributedValue
  measures: readonly [MeasureKey, ...MeasureKey[]]
  /** A measure in the unit of the value, charted over time. */
  trend: MeasureKey
  /** Lower bounds of the bins, in the displayed unit. */
  bins: (isMetric: boolean) => readonly number[]
  /** What is counted in the bins. */
  counted: 'trips' | 'parkingEvents'
  /** Always grouped by vehicle technology; otherwise the user selects the grouping. */
  isByTechnology?: true
}

/** Returns bounds from 0 to `last` in steps. */
const getSteps = (step: number, last: number): number[] =>
  Array.from({ length: Math.round(last / step) + 1 }, (_, index) => index * step)

const getDistanceBins = (isMetric: boolean): number[] => (isMetric ? getSteps(0.5, 10) : getSteps(0.25, 5))
const declarations: Readonly<Record<DistributionPage, PageDeclaration>> = {
  tripDistance: {
    value: 'trip_distance',
    measures: ['trips', 'distance_mean', 'distance_median', 'distance_p90', 'distance_total'],
    trend: 'distance_median',
    bins: getDistanceBins,
    counted: 'trips',
  },
  tripDuration: {
    value: 'trip_duration',
    measures: ['trips', 'duration_mean', 'duration_median', 'duration_p90', 'duration_total'],
    trend: 'duration_median',
    bins: () => getSteps(5, 60),
    counted: 'trips',
  },
  tripDistanceByTech: {
    value: 'trip_distance',
    measures: ['trips', 'distance_mean', 'distance_median', 'distance_p90'],
    trend: 'distance_median',
    bins: getDistanceBins,
    counted: 'trips',
    isByTechnology: true,
  },
  tripSpeedByTech: {
    value: 'trip_speed',
    measures: ['trips', 'speed_mean', 'distance_median', 'duration_median'],
    trend: 'speed_mean',
    bins: (isMetric) => (isMetric ? getSteps(2, 30) : getSteps(1, 20)),
    counted: 'trips',
    isByTechnology: true,
  },
  parkingTime: {
    value: 'parked_duration',
    measures: ['parking_events', 'parking_over_limit', 'parked_mean', 'parked_median', 'parked_time'],
    trend: 'parking_over_limit',
    bins: () => [0, 0.5, 1, 2, 4, 8, 12, 24, 48, 72, 120, 168, 240],
    counted: 'parkingEvents',
  },
}

interface DistributionData {
  search: ReportSearch
  byTime: MetricsResponse
  byGroup: MetricsResponse
  distribution: DistributionResponse
}

/** Returns how values are displayed: `scale` converts the API's unit to the displayed one. */
function getValueFormat(value: DistributedValue, { region: { isMetric } }: ReportContext, t: TFunction) {
  const measure = {
    trip_distance: 'distance_mean',
    trip_duration: 'duration_mean',
    trip_speed: 'speed_mean',
  } as const
  // Parking events last hours or days.
  return value === 'parked_duration'
    ? { unit: t('reporting:unit.hours'), scale: (seconds: number) => seconds / 3600, format: formatNumber }
    : measureFormat(measure[value], isMetric, t)
}

/** Returns the size of a displayed unit in the unit of the API: the inverse of `scale`. */
const getUnitSize = (value: DistributedValue, isMetric: boolean): number =>
  ({
    trip_distance: isMetric ? 1000 : metersPerMile,
    trip_duration: 60,
    trip_speed: (isMetric ? 1000 : metersPerMile) / 3600,
    parked_duration: 3600,
  })[value]

/** Returns a page in a region: its declaration, and how its values and groups are displayed. */
function createPageView(context: ReportContext, page: DistributionPage) {
  const declaration = declarations[page]
  const { value } = declaration
  const shownBins = declaration.bins(context.region.isMetric)
  const isParking = value === 'parked_duration'
  const getGroup = (search: ReportSearch) =>
    declaration.isByTechnology ? ('propulsion_type' as const) : (search.group ?? 'operator')
  const getTexts = (t: TFunction) => ({
    ...getValueFormat(value, context, t),
    title: t(`reporting:distribution.${value}`),
  })
  const getUnit = (t: TFunction) => {
    const { unit, format } = getTexts(t)
    return { name: unit, format: (amount: number | null) => format(amount ?? Number.NaN) }
  }
  const nameGroups = (search: ReportSearch, groups: readonly Distribution[], t: TFunction) => {
    const group = getGroup(search)
    return groups.map((series) => ({
      ...series,
      name: formatKey(context, group, series.key, t),
      color: group === 'operator' ? operatorColor(context, series.key) : undefined,
    }))
  }
  return { ...declaration, context, shownBins, isParking, getGroup, getTexts, getUnit, nameGroups }
}

type PageView = ReturnType<typeof createPageView>

/** Charts of a distribution: the total, groups as shares and as quartiles, and a measure over time. */
export const dashboard = (
  context: ReportContext,
  page: DistributionPage,
): Dashboard<ReportSearch, DistributionData> => {
  const view = createPageView(context, page)
  const { value, measures, trend, isParking, isByTechnology, shownBins, getGroup } = view
  const { isMetric } = context.region
  return {
    page,
    context: ({ byTime }, t) => reportFreshness(context, byTime, t),
    readSearch: readReportSearch,
    filters: (t) =>
      getReportFilters(context, t, [
        grainFilter(t),
        ...(isByTechnology ? [] : [groupFilter(t)]),
        ...(isParking ? [limitFilter(t)] : []),
      ]),
    ...(isParking
      ? { actions: (search, t) => <ParkingMapLink context={context} search={search} t={t} /> }
      : {}),
    query: (search) => {
      const queries = combineQueries({
        byTime: metricsQuery(context, search, measures, [search.grain ?? 'day']),
        byGroup: metricsQuery(context, search, [trend], [search.grain ?? 'day', getGroup(search)]),
        distribution: distributionQuery(context, search, {
          value,
          bins: shownBins.map((bin) => bin * getUnitSize(value, isMetric)),
          group: getGroup(search),
        }),
      })
      return {
        queryKey: [...queries.queryKey, page],
        queryFn: async (call) => ({ search, ...(await queries.queryFn(call)) }),
      }
    },
    isEmpty: ({ distribution }) => distribution.total.n === 0,
    tiles: measures.map(
      (key) =>
        ({ search, byTime }, t) =>
          measureTile(context, search, { measures, response: byTime, measure: key }, t),
    ),
    charts: [toHistogram(view), toShares(view), isParking ? toLimits(view) : toBoxPlot(view), toTrend(view)],
    table: renderDistributionTable(view),
  }
}

/** Returns the chart of all values, by bin. */
function toHistogram({ value, counted, shownBins, getTexts, getUnit }: PageView) {
  return ({ distribution: { total } }: DistributionData, t: TFunction): DashboardChart => {
    const { title, scale } = getTexts(t)
    const toScaled = (amount: number | null): number | null => (amount === null ? null : scale(amount))
    return {
      title: t(`reporting:distribution.all.${value}`),
      context: t(`reporting:distribution.definition.${counted}`),
      unit: { name: t(`reporting:unit.${counted}`), format: formatInteger },
      fileName: `${value}-histogram`,
      isWide: true,
      chart: {
        kind: 'histogram',
        value: { title, unit: getUnit(t) },
        bins: shownBins.map((from, index) => ({
          from,
          to: shownBins[index + 1] ?? null,
          count: total.counts[index] ?? 0,
        })),
        mean: toScaled(total.mean),
        median: toScaled(total.median),
      },
    }
  }
}

/** Returns the chart of the share of each bin, by group. */
function toShares({ value, counted, shownBins, getTexts, getUnit, nameGroups }: PageView) {
  return ({ search, distribution: { groups } }: DistributionData, t: TFunction): DashboardChart => ({
    title: t('reporting:distribution.shares', { value: getTexts(t).title }),
    context: t(`reporting:distribution.sharesOf.${counted}`),
    unit: { name: '%', format: (share) => formatPercent(share === null ? null : share / 100) },
    fileName: `${value}-shares`,
    chart: {
      kind: 'line',
      axis: {
        title: `${getTexts(t).title} (${getUnit(t).name})`,
        labels: shownBins.map((from, index) =>
          index === shownBins.length - 1
            ? `${getUnit(t).format(from)}+`
            : `${getUnit(t).format(from)}–${getUnit(t).format(shownBins[index + 1]!)}`,
        ),
      },
      series: nameGroups(search, groups, t).map(({ key, name, color, n, counts }) => ({
        key,
        name,
        color,
        values: counts.map((count) => (n ? (100 * count) / n : null)),
      })),
    },
  })
}

/** Returns the chart of quartiles by group. */
function toBoxPlot({ value, getGroup, getTexts, getUnit, nameGroups }: PageView) {
  return ({ search, distribution: { groups } }: DistributionData, t: TFunction): DashboardChart => {
    const { title, scale } = getTexts(t)
    return {
      title: t('reporting:distribution.quartiles', { value: title }),
      context: t('reporting:distribution.quartilesDefinition'),
      unit: getUnit(t),
      fileName: `${value}-quartiles`,
      chart: {
        kind: 'box',
        axisTitle: t(`reporting:group.${getGroup(search)}`),
        upperEnd: 'p90',
        groups: nameGroups(search, groups, t).map(({ key, name, color, n, ...quartiles }) => ({
          key,
          name,
          color,
          n,
          spread:
            n > 0
              ? {
                  min: scale(quartiles.min!),
                  lower: scale(quartiles.lower_quartile!),
                  median: scale(quartiles.median!),
                  upper: scale(quartiles.upper_quartile!),
                  max: scale(quartiles.p90!),
                }
              : null,
        })),
      },
    }
  }
}

/** Returns the chart of the share of parking events over each limit, by group. */
function toLimits({ shownBins, nameGroups }: PageView) {
  return ({ search, distribution: { groups } }: DistributionData, t: TFunction): DashboardChart => {
    return {
      title: t('reporting:distribution.overLimits'),
      context: t('reporting:distribution.overLimitsDefinition'),
      unit: { name: '%', format: (share) => formatPercent(share === null ? null : share / 100) },
      fileName: 'parking-over-limits',
      chart: {
        kind: 'bar',
        axis: {
          title: t('reporting:limit.label'),
          labels: parkingLimits.map((minutes) => formatParkedDuration(t, minutes)),
        },
        series: nameGroups(search, groups, t).map(({ key, name, color, n, counts }) => ({
          key,
          name,
          color,
          values: parkingLimits.map((minutes) =>
            n
              ? (100 *
                  counts.reduce(
                    (sum, count, index) => sum + (shownBins[index]! * 60 >= minutes ? count : 0),
                    0,
                  )) /
                n
              : null,
          ),
        })),
      },
    }
  }
}

/** Returns the chart of a measure over time, by group. */
function toTrend({ context, trend, getGroup }: PageView) {
  return ({ search, byGroup }: DistributionData, t: TFunction): DashboardChart => {
    const { unit, scale, format } = measureFormat(trend, context.region.isMetric, t)
    const grain = search.grain ?? 'day'
    return {
      title: t('reporting:distribution.over', {
        measure: t(`reporting:measure.${trend}.name`),
        grain: t(`reporting:grain.by_${grain}`),
      }),
      context: t(`reporting:measure.${trend}.definition`),
      unit: { name: unit, format: (shown) => (shown === null ? format(Number.NaN) : format(shown)) },
      fileName: `${trend}-over-time`,
      isWide: true,
      chart: timeChart(
        context,
        search,
        { response: byGroup, kind: 'line', measure: trend, index: 0, grain, group: getGroup(search), scale },
        t,
      ),
    }
  }
}

/** Returns the table of the distribution, by group. */
function renderDistributionTable({ value, counted, getGroup, getTexts, nameGroups }: PageView) {
  return ({ search, distribution }: DistributionData, t: TFunction): ReactElement => {
    const { scale, format } = getTexts(t)
    const figureKeys = ['mean', 'lower_quartile', 'median', 'upper_quartile', 'p90', 'max'] as const
    const formatAmount = (amount: number | null): string =>
      amount === null ? t('kit:notAvailable') : format(scale(amount))
    const group = getGroup(search)
    return (
      <Table
        label={t('reporting:distribution.table')}
        rows={nameGroups(search, distribution.groups, t)}
        rowKey={({ key }) => key}
        fileName={value}
        columns={[
          { key: 'group', title: t(`reporting:group.${group}`), value: ({ name }) => name },
          { key: 'n', title: t(`reporting:distribution.n.${counted}`), isNumber: true, value: ({ n }) => n },
          ...figureKeys.map((key) => ({
            key,
            title: `${t(`reporting:distribution.${key}`)} (${getTexts(t).unit})`,
            isNumber: true,
            value: (row: Distribution) => {
              const amount = row[key]
              return amount === null ? null : scale(amount)
            },
            renderCell: (row: Distribution) => formatAmount(row[key]),
          })),
        ]}
        totals={{
          n: formatInteger(distribution.total.n),
          ...Object.fromEntries(figureKeys.map((key) => [key, formatAmount(distribution.total[key])])),
        }}
      />
    )
  }
}

/** Returns the filter of the duration from which a parking event is over the limit. */
export const limitFilter = (t: TFunction) => ({
  kind: 'choice' as const,
  key: 'parking_limit',
  label: t('reporting:limit.label'),
  defaultValue: String(parkingLimits[0]),
  options: parkingLimits.map((minutes) => ({ value: minutes, text: formatParkedDuration(t, minutes) })),
})

interface LinkProps {
  context: ReportContext
  search: ReportSearch
  t: TFunction
}

/** A link to the map of the same parking events. */
export function ParkingMapLink({ context, search, t }: LinkProps) {
  const { grain: _grain, group: _group, parking_limit: limit, ...mapSearch } = search
  const page: PageKey = 'parking'
  // The map has a longer default period, so the report's default must be explicit.
  const { period = mapSearch.start_date === undefined ? 'last_30_days' : undefined } = mapSearch
  return (
    <Button
      component={Link}
      to={pagePath(context.region.regionId, page)}
      search={{ ...mapSearch, period, parked_duration: limit ?? parkingLimits[0] } as never}
      variant="default"
      leftSection={<IconMap2 size={16} />}
    >
      {t('reporting:distribution.onMap')}
    </Button>
  )
}
