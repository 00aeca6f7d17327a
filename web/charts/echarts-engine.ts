import { BarChart, BoxplotChart, HeatmapChart, LineChart } from 'echarts/charts'
import {
  AriaComponent,
  GridComponent,
  MarkLineComponent,
  TooltipComponent,
  VisualMapPiecewiseComponent,
} from 'echarts/components'
import { type EChartsType, init, use as registerParts } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import type { PreparedChart } from './prepared-chart.ts'

registerParts([
  AriaComponent,
  BarChart,
  BoxplotChart,
  CanvasRenderer,
  GridComponent,
  HeatmapChart,
  LineChart,
  MarkLineComponent,
  TooltipComponent,
  VisualMapPiecewiseComponent,
])

/** A chart in an element. */
export interface DrawnChart {
  show: (chart: PreparedChart) => void
  /** Shows the tooltip of a position, as on hover; null hides it. */
  point: (index: number | null) => void
  canvas: () => HTMLCanvasElement
  remove: () => void
}

/** Width of charts on A4 and Letter, within the margins and their panel. */
const paperWidthPx = 640

/** Draws charts into an element and follows its size. */
export function drawChart(element: HTMLElement): DrawnChart {
  const chart: EChartsType = init(element, null, { renderer: 'canvas' })
  const observer = new ResizeObserver(() => chart.resize())
  observer.observe(element)
  // The paper size is known only during the layout for printing, when it is too late to draw.
  const fitPaper = (): void => {
    chart.setOption({ animation: false })
    chart.resize({ width: Math.min(paperWidthPx, element.clientWidth) })
    chart.getZr().flush()
  }
  const fitScreen = (): void => chart.resize({ width: 'auto' })
  window.addEventListener('beforeprint', fitPaper)
  window.addEventListener('afterprint', fitScreen)
  return {
    show: ({ option, summary }) =>
      // Without a description, the engine would replace the label of the element by its own.
      chart.setOption(
        { ...option, aria: { enabled: true, label: { description: summary } } },
        { notMerge: true },
      ),
    point: (index) =>
      chart.dispatchAction(
        index === null ? { type: 'hideTip' } : { type: 'showTip', seriesIndex: 0, dataIndex: index },
      ),
    canvas: () => chart.renderToCanvas({ pixelRatio: 2 }),
    remove: () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', fitPaper)
      window.removeEventListener('afterprint', fitScreen)
      // Heat calendars are painted over several frames; a pending frame would use the disposed chart. Painting
      // nothing cancels it.
      chart.getZr().clear()
      chart.getZr().refreshImmediately(true)
      chart.dispose()
    },
  }
}
