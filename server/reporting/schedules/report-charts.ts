import { BarChart } from 'echarts/charts'
import { GridComponent, LegendComponent } from 'echarts/components'
import { init, use as register } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { ReportContent } from './report-data.ts'

register([BarChart, GridComponent, LegendComponent, SVGRenderer])

/** The palette of Okabe and Ito, which is distinguishable with color vision deficiencies. */
const colors = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#F0E442', '#44546A']
/** Size of a chart, points. */
const chartSize = { width: 515, height: 190 }

/** Renders a chart as SVG, without a browser. The font must be embedded in the PDF. */
export function drawChart({ labels, series }: ReportContent['charts'][number], fontFamily: string): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...chartSize })
  try {
    chart.setOption({
      animation: false,
      color: colors,
      textStyle: { fontFamily, fontSize: 9 },
      legend: { bottom: 0, itemWidth: 10, itemHeight: 10, textStyle: { fontFamily, fontSize: 9 } },
      grid: { left: 45, right: 5, top: 10, bottom: 45 },
      xAxis: { type: 'category', data: [...labels], axisLabel: { fontFamily, fontSize: 8 } },
      yAxis: { type: 'value', axisLabel: { fontFamily, fontSize: 8 } },
      series: series.map(({ name, values }) => ({ type: 'bar', stack: 'all', name, data: values })),
    })
    return chart.renderToSVGString()
  } finally {
    // Otherwise timers of the chart would prevent the thread from ending.
    chart.dispose()
  }
}
