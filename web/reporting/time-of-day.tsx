import type { MetricsAnswer } from '#contract/metrics.ts'
import { formatInteger } from '#web/kit/format.ts'
import type { Dashboard } from './dashboard.tsx'
import { allQueries, metricsQuery, reportFreshness, timeChart } from './report.ts'
import {
  groupFilter,
  readReportSearch,
  type ReportContext,
  reportFilters,
  type ReportSearch,
} from './report-search.ts'

interface Data {
  search: ReportSearch
  byHour: MetricsAnswer
  byMonth: MetricsAnswer
}

/** Times and Days: trips by hour and weekday, and by month. */
export const timeOfDay = (context: ReportContext): Dashboard<ReportSearch, Data> => ({
  page: 'timeOfDay',
  context: ({ byHour }, t) => reportFreshness(context, byHour, t),
  readSearch: readReportSearch,
  filters: (t) => reportFilters(context, t, [groupFilter(t)]),
  query: (search) => {
    const both = allQueries({
      byHour: metricsQuery(context, search, ['trips'], ['day_of_week', 'hour_of_day']),
      byMonth: metricsQuery(context, search, ['trips'], ['month', search.group ?? 'operator']),
    })
    return {
      queryKey: both.queryKey,
      queryFn: async (call) => ({ search, ...(await both.queryFn(call)) }),
    }
  },
  isEmpty: ({ byHour }) => byHour.period.totals[0] === null,
  charts: [
    ({ byHour }, t) => ({
      title: t('reporting:timeOfDay.week'),
      context: t('reporting:measure.trips.definition'),
      unit: { name: t('reporting:unit.trips'), format: formatInteger },
      fileName: 'trips-by-hour-and-weekday',
      isWide: true,
      chart: {
        kind: 'heat-calendar',
        values: Array.from({ length: 7 }, (_, day) =>
          Array.from(
            { length: 24 },
            (__, hour) =>
              byHour.period.rows.find(({ keys }) => keys[0] === String(day + 1) && keys[1] === String(hour))
                ?.values[0] ?? null,
          ),
        ),
      },
    }),
    ({ search, byMonth }, t) => ({
      title: t('reporting:timeOfDay.months'),
      context: t('reporting:measure.trips.definition'),
      unit: { name: t('reporting:unit.trips'), format: formatInteger },
      fileName: 'trips-by-month',
      isWide: true,
      chart: timeChart(
        context,
        search,
        byMonth,
        {
          kind: 'stacked-bar',
          measure: 'trips',
          index: 0,
          grain: 'month',
          group: search.group ?? 'operator',
        },
        t,
      ),
    }),
  ],
})
