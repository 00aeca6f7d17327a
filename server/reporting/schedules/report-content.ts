import type { Language } from '#contract/identity.ts'
import {
  type MeasureKey,
  type MetricDimension,
  type MetricsResponse,
  measureKeys,
  measures,
  MetricsQuestion,
} from '#contract/metrics.ts'
import type { Region } from '#contract/regions.ts'
import type { ReportFilters, ScheduledReport } from '#contract/report-schedules.ts'
import type { ReportFacts } from '#server/fleet/reports/report-facts-product.ts'
import { listOperators } from '#server/operators/list-operators.ts'
import type { Evaluator } from '#server/evaluation/evaluate.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type MetricsCache, queryMetrics } from '../query-metrics.ts'
import type { ReportPeriod } from './due-dates.ts'
import { buildDistrictTable } from './district-table.ts'
import {
  formatChange,
  formatDayLabel,
  formatMeasure,
  formatShare,
  toShownValue,
  formatUnitInTitle,
} from './measure-text.ts'
import type { ReportContent, ReportFigure } from './report-data.ts'
import { describeFilters, type ReportTexts, getTextsWithLimit } from './report-texts.ts'
import { makeStationContent } from './station-content.ts'

const countMeasures = [
  'trips',
  'trips_per_vehicle',
  'fleet_avg',
  'fleet_max',
  'fleet_sae_max',
  'fleet_daytime_avg',
] as const satisfies readonly MeasureKey[]
/** What a report shows. */
interface ReportLayout {
  measures: readonly [MeasureKey, ...MeasureKey[]]
  /** Dimensions of the second table. */
  by: readonly MetricDimension[]
  /** Columns of the second table; at most four fit on a page. */
  columns: readonly [MeasureKey, ...MeasureKey[]]
  /** Measures that are drawn by day and operator, as stacked bars. Their values add up over operators. */
  charts: readonly [MeasureKey, ...MeasureKey[]]
}
const fleetColumns = ['trips', 'fleet_avg', 'fleet_max', 'trips_per_vehicle'] as const
const distanceColumns = ['trips', 'distance_mean', 'distance_median', 'distance_p90'] as const
const durationColumns = ['trips', 'duration_mean', 'duration_median', 'duration_p90'] as const
const speedColumns = ['trips', 'speed_mean', 'distance_median', 'duration_median'] as const
const parkingColumns = ['parking_events', 'parking_over_limit', 'parked_mean', 'parked_median'] as const
const layouts: Readonly<Record<Exclude<ScheduledReport, 'bikeshare_stations'>, ReportLayout>> = {
  trip_counts: {
    measures: countMeasures,
    by: ['operator', 'vehicle_type'],
    columns: fleetColumns,
    charts: ['trips', 'fleet_avg'],
  },
  mobility_metrics: {
    measures: measureKeys,
    by: ['operator'],
    columns: fleetColumns,
    charts: ['trips', 'fleet_avg'],
  },
  trip_distance: {
    measures: [...distanceColumns, 'distance_total'],
    by: ['operator'],
    columns: distanceColumns,
    charts: ['trips', 'distance_total'],
  },
  trip_duration: {
    measures: [...durationColumns, 'duration_total'],
    by: ['operator'],
    columns: durationColumns,
    charts: ['trips', 'duration_total'],
  },
  time_of_day: {
    measures: ['trips', 'trips_per_vehicle'],
    by: ['operator', 'day_of_week'],
    columns: ['trips', 'trips_per_vehicle'],
    charts: ['trips'],
  },
  trip_distance_by_tech: {
    measures: distanceColumns,
    by: ['propulsion_type'],
    columns: distanceColumns,
    charts: ['trips', 'distance_total'],
  },
  trip_speed_by_tech: {
    measures: speedColumns,
    by: ['propulsion_type'],
    columns: speedColumns,
    charts: ['trips'],
  },
  parking_time: {
    measures: [...parkingColumns, 'parked_time'],
    by: ['operator'],
    columns: parkingColumns,
    charts: ['parking_events', 'parking_over_limit'],
  },
  parking_time_by_district: {
    measures: [...parkingColumns, 'parked_time'],
    by: ['operator'],
    columns: parkingColumns,
    charts: ['parking_events', 'parking_over_limit'],
  },
}

export interface ReportSources {
  state: State
  facts: Facts
  reports: ReportFacts
  cache: MetricsCache
  evaluator: Pick<Evaluator, 'evaluate'>
}

/** Formats a value of a dimension. Propulsion types are joined by `+`. */
function formatGroup(
  dimension: MetricDimension,
  key: string,
  getOperatorName: (slug: string) => string,
  { weekdays, keys }: ReportTexts,
): string {
  if (dimension === 'operator') return getOperatorName(key)
  if (dimension === 'day_of_week') return weekdays[Number(key) - 1] ?? key
  if (dimension === 'propulsion_type')
    return key
      .split('+')
      .map((propulsion) => keys[propulsion] ?? propulsion)
      .join(' + ')
  return (keys[key] ?? key).replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
}

type OperatorScope = Pick<Scope, 'operators'>

/** Lists the operators of filters that a Scope includes. */
export const listVisibleOperators = ({ operators }: ReportFilters, scope: OperatorScope): string[] =>
  operators.filter((slug) => scope.operators?.includes(slug) ?? true)

/** Whether a report has no figures, because a Scope includes none of the operators that its filters name. */
export const isHidden = (filters: ReportFilters, scope: OperatorScope): boolean =>
  filters.operators.length > 0 && listVisibleOperators(filters, scope).length === 0

interface ReportQuestion {
  scope: Scope
  region: Region
  report: ScheduledReport
  filters: ReportFilters
  period: ReportPeriod
  createdTime: Date
  language: Language
  at: Date
}

/** How the values of a report are written. */
interface ReportFormat {
  texts: ReportTexts
  isMetric: boolean
  getOperatorName: (slug: string) => string
}

/** Builds all measures of a report, compared with the period before if data covers it. */
const buildFigures = (
  keys: readonly MeasureKey[],
  { period, comparison, first_day: firstDay }: MetricsResponse,
  { texts, isMetric }: ReportFormat,
): ReportFigure[] =>
  keys.map((key, index) => {
    const value = period.totals[index] ?? null
    const isCovered = comparison !== null && firstDay !== null && firstDay <= comparison.start_date
    const earlierValue = isCovered ? (comparison.totals[index] ?? null) : null
    return {
      name: texts.measures[key].name,
      value: formatMeasure(key, value, isMetric, texts.locale),
      before: formatMeasure(key, earlierValue, isMetric, texts.locale),
      change: formatChange(value, earlierValue, texts.locale),
      definition: texts.measures[key].definition,
      version: measures[key].version,
    }
  })

/** Builds the table of values by operator or another dimension. */
const buildTable = (
  { by, columns }: ReportLayout,
  { period }: MetricsResponse,
  { texts, isMetric, getOperatorName }: ReportFormat,
): ReportContent['table'] => ({
  groups: by.length,
  header: [
    ...by.map((dimension) => texts.groups[dimension] ?? dimension),
    ...columns.map((key) => texts.measures[key].name),
  ],
  rows: period.rows.map(({ keys, values }) => [
    ...by.map((dimension, index) => formatGroup(dimension, keys[index] ?? '', getOperatorName, texts)),
    ...columns.map((key, index) => formatMeasure(key, values[index] ?? null, isMetric, texts.locale)),
  ]),
})

/** Builds charts by day, with a series for each operator. */
function buildCharts(
  { charts }: ReportLayout,
  { period: { rows } }: MetricsResponse,
  { texts, isMetric, getOperatorName }: ReportFormat,
): ReportContent['charts'] {
  const { locale } = texts
  const days = [...new Set(rows.map(({ keys: [day = ''] }) => day))].toSorted()
  const slugs = [...new Set(rows.map(({ keys: [, slug = ''] }) => slug))].toSorted()
  const valuesByDayAndOperator = new Map(rows.map(({ keys, values }) => [keys.join(' '), values]))
  return charts.map((key, index) => ({
    title: `${texts.byDay(texts.measures[key].name)}${formatUnitInTitle(key, isMetric, locale)}`,
    labels: days.map((day) => formatDayLabel(day, locale)),
    series: slugs.map((slug) => ({
      name: getOperatorName(slug),
      values: days.map((day) => {
        const value = valuesByDayAndOperator.get(`${day} ${slug}`)?.[index] ?? null
        return value === null ? null : toShownValue(key, value, isMetric)
      }),
    })),
  }))
}

/** Builds sentences about the method, and about what is missing. */
function buildNotes(total: MetricsResponse, { texts, getOperatorName }: ReportFormat): string[] {
  const { lost_after_hours: lostAfterHours, operating_hours: hours, timezone } = total.parameters
  return [
    texts.excluded(total.excluded_trips),
    texts.method(lostAfterHours, hours.from, hours.until, timezone),
    ...(total.without_fleet.length
      ? [texts.withoutFleet(total.without_fleet.map(({ operator }) => getOperatorName(operator)).join(', '))]
      : []),
    ...(total.pending_days ? [texts.pending(total.pending_days)] : []),
  ]
}

/** Makes a report for a Scope. @throws Problem `being_prepared` if days were never derived. */
export async function makeReport(
  { state, evaluator, ...sources }: ReportSources,
  question: ReportQuestion,
): Promise<ReportContent> {
  const { scope, region, report, filters, period, createdTime, language, at } = question
  const { items: operators } = await listOperators(state, sources.facts, scope, {
    region_id: region.regionId,
    orderBy: 'name',
    page: 1,
    size: 1000,
  })
  const getOperatorName = (slug: string): string =>
    operators.find((operator) => operator.slug === slug)?.name ?? slug
  const limitedSlugs = filters.operators.length ? listVisibleOperators(filters, scope) : scope.operators
  const operatorNames = limitedSlugs?.map(getOperatorName).toSorted() ?? null
  if (report === 'bikeshare_stations')
    return makeStationContent(
      { state, facts: sources.facts },
      { ...question, getOperatorName, operators: operatorNames },
    )
  const layout = layouts[report]
  const { measures: keys, by, columns, charts } = layout
  const texts = getTextsWithLimit(language, filters.parking_limit)
  const format = { texts, isMetric: region.isMetric, getOperatorName }
  const { compare_start_date: _start, compare_end_date: _end, ...days } = period
  const query = (overrides: Partial<MetricsQuestion>): Promise<MetricsResponse> =>
    queryMetrics(sources, { scope, region, at }, MetricsQuestion.parse({ ...filters, ...days, ...overrides }))
  const total = await query({ measures: [...keys], ...period })
  const [metricsByGroup, metricsByDay] = await Promise.all([
    query({ measures: [...columns], dimensions: [...by] }),
    query({ measures: [...charts], dimensions: ['day', 'operator'] }),
  ])
  const table =
    report === 'parking_time_by_district'
      ? await buildDistrictTable({ state, evaluator }, { scope, region, period, filters, texts, at })
      : buildTable(layout, metricsByGroup, format)
  return {
    language,
    title: texts.titles[report],
    region: region.text,
    timezone: region.timezone,
    isMetric: region.isMetric,
    period,
    operators: operatorNames,
    filters: describeFilters(filters, texts),
    newestFact: total.newest_fact,
    figures: buildFigures(keys, total, format),
    table,
    charts: buildCharts(layout, metricsByDay, format),
    coverage: total.coverage.map(({ operator, share }) => ({
      operator: getOperatorName(operator),
      share: formatShare(share, texts.locale),
    })),
    notes: buildNotes(total, format),
    createdTime: createdTime.toISOString(),
  }
}
