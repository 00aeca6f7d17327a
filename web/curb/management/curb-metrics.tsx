import type { TFunction } from 'i18next'
import {
  type LiveCurbActivity,
  type CurbMeasure,
  type CurbMetricsResponse,
  type CurbViolation,
  getCurbActivity,
} from '#contract/curb-sessions.ts'
import { hoursOfRange } from '#contract/period.ts'
import { endpointQuery } from '#web/data/query.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column } from '#web/kit/table/table-column.ts'
import { formatDateTime, formatInteger, formatNumber, formatPercent, isMissing } from '#web/kit/format.ts'
import { averageKnownWeek } from '#web/reporting/average-week.ts'
import type { Dashboard } from '#web/reporting/dashboard.tsx'
import {
  type CurbContext,
  getCurbFilters,
  getMeasureFormat,
  formatCurbFreshness,
  curbQuery,
  type CurbSearch,
  curbTile,
  curbTimeChart,
  readCurbSearch,
  formatTerm,
} from './curb-report.ts'

interface CurbMetricsData {
  search: CurbSearch
  byTime: CurbMetricsResponse
  byHour: CurbMetricsResponse
  byGroup: CurbMetricsResponse
  activity: LiveCurbActivity
}

export interface Violations {
  items: readonly CurbViolation[]
  /** False if there are more violations than the response lists. */
  is_complete: boolean
}

const tiles = [
  'sessions',
  'turnover',
  'occupancy',
  'dwell_mean',
  'dwell_median',
  'dwell_p90',
  'double_parked',
  'unpermitted',
  'overstays',
  'early_returns',
] as const satisfies readonly CurbMeasure[]
const weekMeasures = ['sessions', 'occupancy', 'overstays'] as const satisfies readonly CurbMeasure[]
const tableMeasures = [...tiles, 'problems'] as const satisfies readonly CurbMeasure[]

/** Widths in pixels at which all columns fit on a 1280-pixel screen. */
const columnWidths: Readonly<Record<(typeof tableMeasures)[number], number>> = {
  sessions: 97,
  turnover: 105,
  occupancy: 100,
  dwell_mean: 85,
  dwell_median: 92,
  dwell_p90: 88,
  double_parked: 92,
  unpermitted: 108,
  overstays: 104,
  early_returns: 92,
  problems: 97,
}

const translatedProblems = [
  'no_start',
  'no_end',
  'ends_before_start',
  'repeated_start',
  'repeated_end',
  'overlap',
] as const

/** Metrics of smart zones: sessions, turnover, dwell and occupancy. `violations`: null while it is loading. */
export const curbMetrics = (
  context: CurbContext,
  violations: Violations | null,
): Dashboard<CurbSearch, CurbMetricsData> => ({
  title: (t) => t('shell:pages.curbMetrics'),
  page: 'curbMetrics',
  context: ({ byTime }, t) => formatCurbFreshness(context, byTime, t),
  readSearch: readCurbSearch,
  filters: (t) => getCurbFilters(context, t),
  query: (search) => {
    const { grain = 'day', group = 'zone' } = search
    const queries = {
      byTime: curbQuery(context, search, tableMeasures, [grain]),
      byHour: curbQuery(context, search, weekMeasures, ['day_of_week', 'hour_of_day']),
      byGroup: curbQuery(context, search, tableMeasures, [group]),
      activity: endpointQuery(getCurbActivity, { params: { region_id: context.region.regionId } }),
    }
    return {
      queryKey: Object.values(queries).map(({ queryKey }) => queryKey),
      queryFn: async (call) => {
        const [byTime, byHour, byGroup, activity] = await Promise.all([
          queries.byTime.queryFn(call),
          queries.byHour.queryFn(call),
          queries.byGroup.queryFn(call),
          queries.activity.queryFn(call),
        ])
        return { search, byTime, byHour, byGroup, activity }
      },
    }
  },
  isEmpty: ({ byTime }) => byTime.period.rows.length === 0,
  empty: (t) => ({ title: t('curb:metrics.empty.title'), text: t('curb:metrics.empty.text') }),
  tiles: tiles.map(
    (measure) =>
      ({ search, byTime }, t) =>
        curbTile(context, search, { measures: tableMeasures, response: byTime, measure }, t),
  ),
  charts: [
    ...(['sessions', 'occupancy'] as const).map((measure) => toTimeChart(context, measure)),
    ...(['occupancy', 'sessions', 'overstays'] as const).map((measure) => toWeekChart(context, measure)),
  ],
  belowCharts: (data, t) => (
    <>
      {violations ? <ViolationsTable context={context} data={data} violations={violations} t={t} /> : null}
      <FindingsTable data={data} t={t} />
    </>
  ),
  table: renderGroupTable(context),
})

/** Returns the chart of a measure by day, week or month. */
const toTimeChart =
  (context: CurbContext, measure: 'sessions' | 'occupancy') =>
  ({ search, byTime }: CurbMetricsData, t: TFunction) => ({
    title: t(`curb:measure.${measure}.name`),
    context: t(`curb:metrics.source.${search.source ?? 'measured'}`),
    unit: {
      name: t(`curb:metrics.unit.${measure}`),
      format: measure === 'sessions' ? formatInteger : formatPercent,
    },
    emptyText: t(measure === 'occupancy' ? 'curb:metrics.missing' : 'curb:metrics.noSessions'),
    fileName: `curb-${measure}`,
    chart: curbTimeChart(
      context,
      search,
      {
        response: byTime,
        measure,
        index: tableMeasures.indexOf(measure),
        kind: measure === 'sessions' ? 'bar' : 'line',
      },
      t,
    ),
  })

/** Returns the chart of a measure by hour and weekday. */
const toWeekChart =
  (context: CurbContext, measure: (typeof weekMeasures)[number]) =>
  ({ search, byHour }: CurbMetricsData, t: TFunction) => ({
    title: t(`curb:metrics.byHour.${measure}`),
    context: t(`curb:measure.${measure}.definition`),
    unit: {
      name: t(`curb:metrics.unit.${measure === 'occupancy' ? measure : 'sessionsPerDay'}`),
      format: measure === 'occupancy' ? formatPercent : formatNumber,
    },
    emptyText: t(measure === 'occupancy' ? 'curb:metrics.missing' : 'curb:metrics.noSessions'),
    fileName: `curb-${measure}-by-hour-and-weekday`,
    isWide: true,
    chart: {
      kind: 'heat-calendar' as const,
      values: toWeekValues(context, byHour, measure),
      days: search.days,
      hours: search.hours && hoursOfRange([search.hours[0], search.hours[1] - 1]),
    },
  })

/** Returns the table of all measures by the selected group. */
const renderGroupTable =
  (context: CurbContext) =>
  ({ search, byGroup, activity }: CurbMetricsData, t: TFunction) => {
    const { group = 'zone' } = search
    const names = new Map(activity.zones.map(({ curb_zone_id: id, name }) => [id, name]))
    const getName = (key: string): string => {
      if (group !== 'zone' && group !== 'area') return formatTerm(key, t)
      return key === '' ? t('curb:metrics.noPlace') : (names.get(key) ?? key)
    }
    type Row = CurbMetricsResponse['period']['rows'][number]
    const formatValue = (measure: CurbMeasure, value: number | null | undefined): string => {
      const { scale, format } = getMeasureFormat(measure, context, t)
      return isMissing(value) ? t('kit:notAvailable') : format(scale(value))
    }
    const columns = tableMeasures.map((measure, index) => {
      const { scale } = getMeasureFormat(measure, context, t)
      return column(
        measure,
        t(`curb:metrics.column.${measure}`),
        ({ values }: Row) => (isMissing(values[index]) ? null : scale(values[index])),
        {
          isNumber: true,
          width: columnWidths[measure],
          // The table of findings below lists them by kind.
          isHidden: measure === 'problems',
          renderCell: ({ values }: Row) => formatValue(measure, values[index]),
        },
      )
    })
    return (
      <section>
        <h2>{t('curb:metrics.table')}</h2>
        <Table
          label={t('curb:metrics.table')}
          rows={byGroup.period.rows}
          rowKey={({ keys }) => keys.join(' ')}
          fileName="curb-metrics"
          columns={[
            {
              key: 'group',
              title: t(`curb:metrics.group.${group}`),
              width: 200,
              value: ({ keys }: Row) => getName(keys[0] ?? ''),
            },
            ...columns,
          ]}
          totals={Object.fromEntries(
            tableMeasures.map((measure, index) => [
              measure,
              formatValue(measure, byGroup.period.totals[index]),
            ]),
          )}
        />
      </section>
    )
  }

interface ViolationsTableProps {
  context: CurbContext
  data: CurbMetricsData
  violations: Violations
  t: TFunction
}

/** Stays over the maximum and early returns, with the limits they are measured against. */
function ViolationsTable({ context, data: { activity }, violations, t }: ViolationsTableProps) {
  if (!violations.items.length) return null
  const names = new Map(activity.zones.map(({ curb_zone_id: id, name }) => [id, name]))
  const { timezone } = context.region
  return (
    <section>
      <h2>{t('curb:violations.title')}</h2>
      {violations.is_complete ? null : <p>{t('curb:violations.incomplete')}</p>}
      <Table
        label={t('curb:violations.title')}
        rows={violations.items}
        rowKey={({ kind, session_id: id }) => `${kind} ${id}`}
        fileName="curb-violations"
        maxHeight={420}
        columns={[
          {
            key: 'kind',
            title: t('curb:violations.kind'),
            value: ({ kind }) => t(`curb:violations.${kind}`),
          },
          {
            key: 'zone',
            title: t('curb:metrics.group.zone'),
            width: 190,
            value: ({ curb_zone_id: id }) => names.get(id) ?? id,
          },
          {
            key: 'start',
            title: t('curb:violations.start'),
            width: 190,
            value: ({ start }) => start,
            renderCell: ({ start }) => formatDateTime(start, timezone),
          },
          {
            key: 'end',
            title: t('curb:violations.end'),
            width: 190,
            value: ({ end }) => end,
            renderCell: ({ end }) => (end === null ? t('curb:activity.open') : formatDateTime(end, timezone)),
          },
          {
            key: 'measured',
            title: t('curb:violations.measured'),
            isNumber: true,
            width: 100,
            value: ({ measured_seconds: seconds }) => Math.round(seconds / 60),
            renderCell: ({ measured_seconds: seconds }) => formatInteger(seconds / 60),
          },
          {
            key: 'limit',
            title: t('curb:violations.limit'),
            isNumber: true,
            width: 80,
            value: (row) => row.limit_minutes,
          },
          {
            key: 'class',
            title: t('curb:metrics.classes'),
            width: 120,
            value: ({ vehicle_type: type }) => formatTerm(type, t),
          },
          {
            key: 'source',
            title: t('curb:metrics.source.label'),
            width: 130,
            value: ({ source }) => t(`curb:metrics.source.${source}`),
          },
          {
            key: 'policy',
            title: t('curb:violations.policy'),
            isHidden: true,
            value: ({ curb_policy_id: id, rule }) => `${id} ${rule + 1}`,
          },
          {
            key: 'session',
            title: t('curb:violations.session'),
            isHidden: true,
            value: (row) => row.session_id,
          },
        ]}
      />
    </section>
  )
}

/** The number of sessions with each kind of problem. */
function FindingsTable({ data: { byTime }, t }: { data: CurbMetricsData; t: TFunction }) {
  const findings = byTime.findings.filter(({ count }) => count > 0)
  if (!findings.length) return null
  return (
    <section>
      <h2>{t('curb:metrics.findings')}</h2>
      <Table
        label={t('curb:metrics.findings')}
        rows={findings}
        rowKey={({ problem }) => problem}
        fileName="curb-findings"
        columns={[
          {
            key: 'problem',
            title: t('curb:metrics.problem'),
            value: ({ problem }) => {
              const knownProblem = translatedProblems.find((candidate) => candidate === problem)
              return knownProblem ? t(`curb:problem.${knownProblem}`) : problem
            },
          },
          {
            key: 'count',
            title: t('curb:measure.sessions.name'),
            isNumber: true,
            value: ({ count }) => count,
            renderCell: ({ count }) => formatInteger(count),
          },
        ]}
      />
    </section>
  )
}

/** Returns a value for each hour of each weekday, Monday first: occupancy, or the daily mean of a count. */
function toWeekValues(
  { region }: CurbContext,
  { period, newest_event: newest }: CurbMetricsResponse,
  measure: (typeof weekMeasures)[number],
): (number | null)[][] {
  const index = weekMeasures.indexOf(measure)
  if (measure !== 'occupancy') return averageKnownWeek({ period, newest }, region.timezone, index)
  const byKey = new Map(period.rows.map(({ keys, values }) => [keys.join(' '), values[index] ?? null]))
  return Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (__, hour) => byKey.get(`${day + 1} ${hour}`) ?? null),
  )
}
