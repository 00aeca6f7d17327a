import type { MetricsResponse } from '#contract/metrics.ts'
import { hoursOfRange } from '#contract/period.ts'
import { declareTexts } from '#web/i18n/start-i18n.ts'
import { formatInteger, formatNumber } from '#web/kit/format.ts'
import { averageWeek } from './average-week.ts'
import type { Dashboard } from './dashboard.tsx'
import { reportFreshness } from './measure-tile.ts'
import { combineQueries, metricsQuery } from './report-queries.ts'
import { timeChart } from './time-chart.ts'
import {
  groupFilter,
  readReportSearch,
  type ReportContext,
  getReportFilters,
  type ReportSearch,
} from './report-search.ts'

interface TimeOfDayData {
  search: ReportSearch
  byHour: MetricsResponse
  byMonth: MetricsResponse
}

declareTexts('reporting', {
  en: {
    timeOfDay: {
      week: 'Trips by hour and weekday',
      months: 'Trips by month',
      average: 'Trips that start in the hour, per day on average',
    },
  },
  es: {
    timeOfDay: {
      week: 'Viajes por hora y día de la semana',
      months: 'Viajes por mes',
      average: 'Viajes que empiezan en la hora, en promedio por día',
    },
  },
})

/** Times and Days: trips by hour and weekday, and by month. */
export const dashboard = (context: ReportContext): Dashboard<ReportSearch, TimeOfDayData> => ({
  page: 'timeOfDay',
  context: ({ byHour }, t) => reportFreshness(context, byHour, t),
  readSearch: readReportSearch,
  filters: (t) => getReportFilters(context, t, [groupFilter(t)]),
  query: (search) => {
    const queries = combineQueries({
      byHour: metricsQuery(context, search, ['trips'], ['day_of_week', 'hour_of_day']),
      byMonth: metricsQuery(context, search, ['trips'], ['month', search.group ?? 'operator']),
    })
    return {
      queryKey: queries.queryKey,
      queryFn: async (call) => ({ search, ...(await queries.queryFn(call)) }),
    }
  },
  isEmpty: ({ byHour }) => byHour.period.totals[0] === null,
  charts: [
    ({ search, byHour }, t) => ({
      title: t('reporting:timeOfDay.week'),
      context: t('reporting:timeOfDay.average'),
      unit: {
        name: t('reporting:unit.trips'),
        format: (trips) => formatNumber(trips, trips !== null && trips < 10 ? 1 : 0),
      },
      fileName: 'trips-by-hour-and-weekday',
      isWide: true,
      chart: {
        kind: 'heat-calendar',
        values: averageWeek(byHour, context.region.timezone),
        days: search.days,
        hours: search.hours && hoursOfRange([search.hours[0], search.hours[1] - 1]),
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
        {
          response: byMonth,
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
