import type { Chart } from './chart.ts'
import type { ChartContext, PreparedChart } from './prepared-chart.ts'
import { prepareBox, prepareHistogram } from './prepare-distribution.ts'
import { prepareHeatCalendar } from './prepare-heat-calendar.ts'
import { prepareSeries } from './prepare-series.ts'

/** Prepares drawing, colors, texts and table of a chart. Pure; the drawing component makes no decisions. */
export function prepareChart(chart: Chart, context: ChartContext): PreparedChart {
  switch (chart.kind) {
    case 'heat-calendar':
      return prepareHeatCalendar(chart, context)
    case 'histogram':
      return prepareHistogram(chart, context)
    case 'box':
      return prepareBox(chart, context)
    default:
      return prepareSeries(chart, context)
  }
}
