import type { Language } from '#contract/identity.ts'
import {
  type MeasureKey,
  type MetricDimension,
  type MetricsAnswer,
  measureKeys,
  measures,
  MetricsQuestion,
} from '#contract/metrics.ts'
import type { Region } from '#contract/regions.ts'
import type { ScheduledReport } from '#contract/report-schedules.ts'
import type { ReportFacts } from '#server/fleet/reports/report-facts-product.ts'
import { listOperators } from '#server/operators/list-operators.ts'
import type { Evaluator } from '#server/evaluation/evaluate.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type MetricsCache, queryMetrics } from '../query-metrics.ts'
import type { ReportPeriod } from './due-dates.ts'
import { districtTable } from './district-table.ts'
import { changeText, dayLabel, measureText, shareText, shownValue, unitInTitle } from './measure-text.ts'
import type { ReportContent } from './report-data.ts'
import { type ReportTexts, reportTexts } from './report-texts.ts'
import { makeStationContent } from './station-content.ts'

const countMeasures = [
  'trips',
  'trips_per_vehicle',
  'fleet_avg',
  'fleet_max',
  'fleet_sae_max',
  'fleet_daytime_avg',
] as const satisfies readonly MeasureKey[]
interface ReportParts {
  measures: readonly [MeasureKey, ...MeasureKey[]]
  /** Dimensions of the second table. */
  by: readonly MetricDimension[]
  /** Columns of the second table; at most four fit on a page. */
  columns: readonly [MeasureKey, ...MeasureKey[]]
  /**
   * Measures that are drawn by day and operator, as stacked bars; their values must add up over operators.
   */
  charts: readonly [MeasureKey, ...MeasureKey[]]
}
const fleetColumns = ['trips', 'fleet_avg', 'fleet_max', 'trips_per_vehicle'] as const
const distanceColumns = ['trips', 'distance_mean', 'distance_median', 'distance_p90'] as const
const durationColumns = ['trips', 'duration_mean', 'duration_median', 'duration_p90'] as const
const speedColumns = ['trips', 'speed_mean', 'distance_median', 'duration_median'] as const
const parkingColumns = ['parking_events', 'parking_over_limit', 'parked_mean', 'parked_median'] as const
const parts: Readonly<Record<Exclude<ScheduledReport, 'bikeshare_stations'>, ReportParts>> = {
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

function groupText(
  dimension: MetricDimension,
  key: string,
  operatorName: (slug: string) => string,
  { weekdays, keys }: ReportTexts,
): string {
  if (dimension === 'operator') return operatorName(key)
  if (dimension === 'day_of_week') return weekdays[Number(key) - 1] ?? key
  if (dimension === 'propulsion_type')
    return key
      .split('+')
      .map((each) => keys[each] ?? each)
      .join(' + ')
  return (keys[key] ?? key).replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())
}

/**
 * Makes a report with the figures that a Scope may see. Throws the Problem `being_prepared` if days were
 * never derived.
 */
export async function makeReport(
  { state, evaluator, ...sources }: ReportSources,
  {
    scope,
    region,
    report,
    period,
    createdTime,
    language,
    at,
  }: {
    scope: Scope
    region: Region
    report: ScheduledReport
    period: ReportPeriod
    createdTime: Date
    language: Language
    at: Date
  },
): Promise<ReportContent> {
  const { items: operators } = await listOperators(state, sources.facts, scope, {
    region_id: region.regionId,
    orderBy: 'name',
    page: 1,
    size: 1000,
  })
  const nameOf = (slug: string): string => operators.find((each) => each.slug === slug)?.name ?? slug
  if (report === 'bikeshare_stations')
    return makeStationContent(
      { state, facts: sources.facts },
      { scope, region, period, createdTime, language, nameOf, at },
    )
  const { measures: keys, by, columns, charts } = parts[report]
  const texts = reportTexts[language]
  const { locale } = texts
  const { compare_start_date: _start, compare_end_date: _end, ...days } = period
  const query = (question: Partial<MetricsQuestion>): Promise<MetricsAnswer> =>
    queryMetrics(sources, { scope, region, at }, MetricsQuestion.parse({ ...days, ...question }))
  const total = await query({ measures: [...keys], ...period })
  const [byGroup, byDay] = await Promise.all([
    query({ measures: [...columns], dimensions: [...by] }),
    query({ measures: [...charts], dimensions: ['day', 'operator'] }),
  ])
  const text = (key: MeasureKey, value: number | null | undefined): string =>
    measureText(key, value ?? null, region.isMetric, locale)
  const districts =
    report === 'parking_time_by_district'
      ? await districtTable({ state, evaluator }, { scope, region, period, texts, at })
      : null
  const chartDays = [...new Set(byDay.period.rows.map(({ keys: [day = ''] }) => day))].toSorted()
  const slugs = [...new Set(byDay.period.rows.map(({ keys: [, slug = ''] }) => slug))].toSorted()
  const { from, until } = total.parameters.operating_hours
  const valuesByDayAndOperator = new Map(
    byDay.period.rows.map(({ keys: group, values }) => [group.join(' '), values]),
  )
  return {
    language,
    title: texts.titles[report],
    region: region.text,
    timezone: region.timezone,
    isMetric: region.isMetric,
    period,
    operators: scope.operators?.map(nameOf).toSorted() ?? null,
    newestFact: total.newest_fact,
    figures: keys.map((key, index) => {
      const value = total.period.totals[index] ?? null
      const before = total.comparison?.totals[index] ?? null
      return {
        name: texts.measures[key].name,
        value: text(key, value),
        before: text(key, before),
        change: changeText(value, before, locale),
        definition: texts.measures[key].definition,
        version: measures[key].version,
      }
    }),
    table: districts ?? {
      groups: by.length,
      header: [
        ...by.map((each) => texts.groups[each] ?? each),
        ...columns.map((key) => texts.measures[key].name),
      ],
      rows: byGroup.period.rows.map(({ keys: group, values }) => [
        ...by.map((each, index) => groupText(each, group[index] ?? '', nameOf, texts)),
        ...columns.map((key, index) => text(key, values[index])),
      ]),
    },
    charts: charts.map((key, index) => ({
      title: `${texts.byDay(texts.measures[key].name)}${unitInTitle(key, region.isMetric, locale)}`,
      labels: chartDays.map((day) => dayLabel(day, locale)),
      series: slugs.map((slug) => ({
        name: nameOf(slug),
        values: chartDays.map((day) => {
          const value = valuesByDayAndOperator.get(`${day} ${slug}`)?.[index] ?? null
          return value === null ? null : shownValue(key, value, region.isMetric)
        }),
      })),
    })),
    coverage: total.coverage.map(({ operator, share }) => ({
      operator: nameOf(operator),
      share: shareText(share, locale),
    })),
    notes: [
      texts.excluded(total.excluded_trips),
      texts.method(total.parameters.lost_after_hours, from, until, total.parameters.timezone),
      ...(total.without_fleet.length
        ? [texts.withoutFleet(total.without_fleet.map(({ operator }) => nameOf(operator)).join(', '))]
        : []),
      ...(total.pending_days ? [texts.pending(total.pending_days)] : []),
    ],
    createdTime: createdTime.toISOString(),
  }
}
