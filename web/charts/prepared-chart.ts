import type { EChartsCoreOption } from 'echarts/core'
import type { TFunction } from 'i18next'
import { dataColors, type Scheme, tokens } from '#web/kit/theme.ts'
import type { ChartColumn, ChartRow, ChartUnit } from './chart.ts'

/** A chart that is ready to be drawn, with the same data as texts and as a table. */
export interface PreparedChart {
  option: EChartsCoreOption
  /** Text of each position, in the order of the data; read by keyboard and shown beside the pointer. */
  points: readonly string[]
  /** Number of positions by which the up and down keys move. */
  rowLength: number
  legend: readonly LegendEntry[]
  columns: readonly ChartColumn[]
  rows: readonly ChartRow[]
  /** Description of the chart for screen readers. */
  summary: string
  isEmpty: boolean
}

export interface LegendEntry {
  name: string
  color: string
  /** Whether the series is of the previous period, which is drawn hollow or dashed. */
  isBefore?: boolean
  /** How positions that have values of a part of their time only are drawn. */
  partialStyle?: 'dashed' | 'dotted'
}

export interface ChartContext {
  t: TFunction
  language: string
  scheme: Scheme
  unit: ChartUnit
}

const fontFamily = "'Inter Variable', system-ui, sans-serif"

/** Returns the options that all charts share. `points`: texts of tooltips, by index of the data. */
export function createBaseOption(scheme: Scheme, points: readonly string[]): EChartsCoreOption {
  const { quiet, panel, ink, line } = tokens[scheme]
  return {
    animation: false,
    textStyle: { fontFamily, color: quiet, fontSize: 12 },
    // The axis labels are within the bounds, so that the drawing uses the whole width.
    grid: {
      left: 4,
      right: 12,
      top: 30,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    tooltip: {
      // Drawn as text, so that names entered by users are never parsed as HTML.
      renderMode: 'richText',
      confine: true,
      backgroundColor: panel,
      borderColor: line,
      textStyle: { color: ink, fontFamily, fontSize: 13 },
      formatter: (hovered: { dataIndex: number } | { dataIndex: number }[]) =>
        points[[hovered].flat()[0]?.dataIndex ?? 0] ?? '',
    },
  }
}

/** Returns an axis of names. With `labelInterval`, only every nth of them is shown. */
export const createCategoryAxis = (scheme: Scheme, labels: readonly string[], labelInterval?: number) => ({
  type: 'category' as const,
  data: [...labels],
  axisTick: { show: false },
  axisLine: { lineStyle: { color: tokens[scheme].edge } },
  axisLabel: {
    color: tokens[scheme].quiet,
    hideOverlap: true,
    ...(labelInterval ? { interval: (index: number) => index % labelInterval === 0 } : {}),
  },
})

/** Returns the axis of the values, with the unit above it. */
export const createValueAxis = (scheme: Scheme, unit: ChartUnit) => ({
  type: 'value' as const,
  name: unit.name,
  nameLocation: 'end' as const,
  nameTextStyle: { align: 'left' as const, color: tokens[scheme].quiet, padding: [0, 0, 0, 0] },
  nameGap: 12,
  splitNumber: 4,
  splitLine: { lineStyle: { color: tokens[scheme].line } },
  axisLabel: { color: tokens[scheme].quiet, formatter: (value: number) => unit.format(value) },
})

/** Returns the color of a series: its own, or the one at `index` in the palette. */
export function getSeriesColor(color: string | undefined, index: number, scheme: Scheme): string {
  const { categorical } = dataColors[scheme]
  return color ?? categorical[index % categorical.length]!
}
