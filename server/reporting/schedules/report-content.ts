import {
  type MeasureKey,
  type MetricDimension,
  type MetricsAnswer,
  measureKeys,
  measures,
  MetricsQuestion,
} from '#contract/metrics.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { ScheduledReport } from '#contract/report-schedules.ts'
import type { ReportFacts } from '#server/mobility/reports/report-facts-product.ts'
import { listOperators } from '#server/operators/list-operators.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type MetricsCache, queryMetrics } from '../query-metrics.ts'
import type { ReportPeriod } from './due-dates.ts'
import { changeText, measureNames, measureText, unknownText } from './measure-text.ts'

export const reportTitles: Readonly<Record<ScheduledReport, string>> = {
  trip_counts: 'Vehicle & Trip Counts',
  mobility_metrics: 'Mobility Metrics',
}

const countMeasures = [
  'trips',
  'trips_per_vehicle',
  'fleet_avg',
  'fleet_max',
  'fleet_sae_max',
  'fleet_daytime_avg',
] as const satisfies readonly MeasureKey[]
/** Measures of each report, and what its second table is split by. */
const parts: Readonly<
  Record<
    ScheduledReport,
    { measures: readonly [MeasureKey, ...MeasureKey[]]; by: readonly MetricDimension[] }
  >
> = {
  trip_counts: { measures: countMeasures, by: ['operator', 'vehicle_type'] },
  mobility_metrics: { measures: measureKeys, by: ['operator'] },
}
/** Columns of the second table: more do not fit on a page. */
const tableMeasures = ['trips', 'fleet_avg', 'fleet_max', 'trips_per_vehicle'] as const
const chartMeasures = ['trips', 'fleet_avg'] as const

/** A figure of a report, in texts. */
export interface ReportFigure {
  name: string
  value: string
  before: string
  change: string
  definition: string
  version: number
}

/** Everything that a mail and its PDF show, as plain data. */
export interface ReportContent {
  title: string
  region: string
  timezone: string
  isMetric: boolean
  period: ReportPeriod
  /** Names of the operators that the figures are limited to; null: all. */
  operators: readonly string[] | null
  newestFact: string | null
  figures: readonly ReportFigure[]
  table: { header: readonly string[]; rows: readonly (readonly string[])[] }
  charts: readonly {
    title: string
    days: readonly LocalDay[]
    series: readonly { name: string; values: readonly (number | null)[] }[]
  }[]
  coverage: readonly { operator: string; share: string }[]
  excludedTrips: number
  pendingDays: number
  parameters: MetricsAnswer['parameters']
  /** When the run was made; the PDF has this time, so that the same data are the same bytes. */
  createdTime: string
}

export interface ReportSources {
  state: State
  facts: Facts
  reports: ReportFacts
  answers: MetricsCache
}

const typeText = (type: string): string =>
  type.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())

/** The figures of a report in a Scope. Throws the Problem `being_prepared` where days were never derived. */
export async function makeReport(
  { state, ...sources }: ReportSources,
  {
    scope,
    region,
    report,
    period,
    createdTime,
    at,
  }: {
    scope: Scope
    region: Region
    report: ScheduledReport
    period: ReportPeriod
    createdTime: Date
    at: Date
  },
): Promise<ReportContent> {
  const { measures: keys, by } = parts[report]
  const { compare_start_date: _start, compare_end_date: _end, ...alone } = period
  const ask = (question: Partial<MetricsQuestion>): Promise<MetricsAnswer> =>
    queryMetrics(sources, { scope, region, at }, MetricsQuestion.parse({ ...alone, ...question }))
  const all = await ask({ measures: [...keys], ...period })
  const [split, byDay, { items: operators }] = await Promise.all([
    ask({ measures: [...tableMeasures], dimensions: [...by] }),
    ask({ measures: [...chartMeasures], dimensions: ['day', 'operator'] }),
    listOperators(state, sources.facts, scope, {
      region_id: region.regionId,
      orderBy: 'name',
      page: 1,
      size: 1000,
    }),
  ])
  const nameOf = (slug: string): string => operators.find((each) => each.slug === slug)?.name ?? slug
  const text = (key: MeasureKey, value: number | null | undefined): string =>
    measureText(key, value ?? null, region.isMetric)
  const days = [...new Set(byDay.period.rows.map(({ keys: [day = ''] }) => day))].toSorted()
  const slugs = [...new Set(byDay.period.rows.map(({ keys: [, slug = ''] }) => slug))].toSorted()
  const valueOf = new Map(byDay.period.rows.map(({ keys: group, values }) => [group.join(' '), values]))
  return {
    title: reportTitles[report],
    region: region.text,
    timezone: region.timezone,
    isMetric: region.isMetric,
    period,
    operators: scope.operators?.map(nameOf).toSorted() ?? null,
    newestFact: all.newest_fact,
    figures: keys.map((key, at_) => {
      const [value = null, before = null] = [all.period.totals[at_], all.comparison?.totals[at_]]
      return {
        name: measureNames[key],
        value: text(key, value),
        before: text(key, before),
        change: changeText(value, before),
        definition: measures[key].definition,
        version: measures[key].version,
      }
    }),
    table: {
      header: [
        ...by.map((each) => (each === 'operator' ? 'Operator' : 'Vehicle type')),
        ...tableMeasures.map((key) => measureNames[key]),
      ],
      rows: split.period.rows.map(({ keys: group, values }) => [
        ...by.map((each, index) =>
          each === 'operator' ? nameOf(group[index] ?? '') : typeText(group[index] ?? ''),
        ),
        ...tableMeasures.map((key, index) => text(key, values[index])),
      ]),
    },
    charts: chartMeasures.map((key, index) => ({
      title: `${measureNames[key]} by day`,
      days,
      series: slugs.map((slug) => ({
        name: nameOf(slug),
        values: days.map((day) => valueOf.get(`${day} ${slug}`)?.[index] ?? null),
      })),
    })),
    coverage: all.coverage.map(({ operator, share }) => ({
      operator: nameOf(operator),
      share: share === null ? unknownText : `${(share * 100).toFixed(1)} %`,
    })),
    excludedTrips: all.excluded_trips,
    pendingDays: all.pending_days,
    parameters: all.parameters,
    createdTime: createdTime.toISOString(),
  }
}
