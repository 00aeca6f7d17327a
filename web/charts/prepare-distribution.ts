import { type Scheme, tokens } from '#web/kit/theme.ts'
import { formatInteger } from '#web/kit/format.ts'
import type { BoxChart, HistogramChart } from './chart.ts'
import {
  createBaseOption,
  createCategoryAxis,
  type ChartContext,
  type PreparedChart,
  getSeriesColor,
  createValueAxis,
} from './prepared-chart.ts'

/** Finds a value on an axis on which every bin has the width 1; null outside of the bins. */
export function findPositionInBins(value: number | null, bins: HistogramChart['bins']): number | null {
  if (value === null) return null
  const index = bins.findIndex(
    ({ from, to }, binIndex) =>
      // The last bin includes its upper end.
      value >= from && (to === null || value < to || binIndex === bins.length - 1),
  )
  const bin = bins[index]
  if (!bin) return null
  // Values of an open bin are placed in its middle.
  return index + (bin.to === null ? 0.5 : Math.min(1, (value - bin.from) / (bin.to - bin.from)))
}

/** Prepares a histogram with marks for mean and median. */
export function prepareHistogram(chart: HistogramChart, context: ChartContext): PreparedChart {
  const { t, scheme, unit } = context
  const { bins, value } = chart
  const labels = bins.map(({ from, to }) =>
    to === null ? `${value.unit.format(from)}+` : `${value.unit.format(from)}–${value.unit.format(to)}`,
  )
  const points = bins.map(({ count }, index) => `${labels[index]} ${value.unit.name}\n${unit.format(count)}`)
  const marks = getHistogramMarks(chart, t)
  return {
    option: {
      ...createBaseOption(scheme, points),
      grid: { ...(createBaseOption(scheme, points)['grid'] as object), top: 60 },
      xAxis: [
        {
          ...createCategoryAxis(scheme, labels),
          name: t('charts:withUnit', { title: value.title, unit: value.unit.name }),
          nameLocation: 'middle',
          nameGap: 26,
        },
        { type: 'value', min: 0, max: bins.length, show: false },
      ],
      // Leaves room for the labels of the marks below the unit.
      yAxis: { ...createValueAxis(scheme, unit), nameGap: 34 },
      series: [
        {
          type: 'bar',
          data: bins.map(({ count }) => count),
          barCategoryGap: '2%',
          itemStyle: { color: getSeriesColor(undefined, 0, scheme) },
          emphasis: { disabled: true },
        },
        createMarkSeries(marks, scheme),
      ],
    },
    points,
    rowLength: bins.length,
    legend: [],
    columns: [
      { title: t('charts:from'), unit: value.unit },
      { title: t('charts:to'), unit: value.unit },
      { title: t('charts:members'), unit },
    ],
    rows: bins.map(({ from, to, count }, index) => ({ key: String(index), cells: [from, to, count] })),
    summary: marks.map(({ text }) => text).join('. '),
    isEmpty: bins.every(({ count }) => count === 0),
  }
}

/** A vertical line in a histogram. */
interface Mark {
  text: string
  /** Position on the axis of bins; null if unknown. */
  position: number | null
  type: 'dashed' | 'solid'
}

/** Returns the marks of mean and median. */
function getHistogramMarks({ value, bins, mean, median }: HistogramChart, t: ChartContext['t']): Mark[] {
  return (
    [
      ['mean', mean, 'dashed'],
      ['median', median, 'solid'],
    ] as const
  ).map(([key, mark, type]) => ({
    text: t('charts:marked', {
      mark: t(`charts:${key}`),
      value: `${value.unit.format(mark)}${mark === null ? '' : ` ${value.unit.name}`}`,
    }),
    position: findPositionInBins(mark, bins),
    type,
  }))
}

/** Returns a series that draws only vertical lines at the marks. */
function createMarkSeries(marks: readonly Mark[], scheme: Scheme) {
  const { ink, panel } = tokens[scheme]
  return {
    type: 'line',
    xAxisIndex: 1,
    data: [],
    silent: true,
    markLine: {
      silent: true,
      symbol: 'none',
      data: marks.flatMap(({ text, position, type }, index) =>
        position === null
          ? []
          : [
              {
                xAxis: position,
                lineStyle: { color: ink, type, width: 2 },
                // At different heights, because the marks are often close to each other.
                label: {
                  formatter: text,
                  color: ink,
                  textBorderColor: panel,
                  textBorderWidth: 3,
                  distance: index === 0 ? 18 : 4,
                },
              },
            ],
      ),
    },
  }
}

const spreadKeys = ['min', 'lower', 'median', 'upper', 'max'] as const

/** Prepares quartiles and extremes by group; a group without values has no box. */
export function prepareBox(
  { axisTitle, groups, upperEnd = 'maximum' }: BoxChart,
  context: ChartContext,
): PreparedChart {
  const { t, scheme, unit } = context
  // Text keys of the values, in the order of `spreadKeys`.
  const nameKeys = ['minimum', 'lower', 'median', 'upper', upperEnd] as const
  const points = groups.map(({ name, n, spread }) =>
    [
      name,
      ...(spread
        ? spreadKeys.map((key, index) =>
            t('charts:point', { name: t(`charts:${nameKeys[index]!}`), value: unit.format(spread[key]) }),
          )
        : [t('charts:noData')]),
      t('charts:point', { name: t('charts:n'), value: formatInteger(n) }),
    ].join('\n'),
  )
  return {
    option: {
      ...createBaseOption(scheme, points),
      xAxis: createCategoryAxis(
        scheme,
        groups.map(({ name }) => name),
      ),
      yAxis: { ...createValueAxis(scheme, unit), scale: true },
      series: [
        {
          type: 'boxplot',
          boxWidth: [16, 56],
          data: groups.map(({ spread, color }, index) => ({
            value: spread ? spreadKeys.map((key) => spread[key]) : [],
            itemStyle: {
              color: tokens[scheme].mist,
              borderColor: getSeriesColor(color, index, scheme),
              borderWidth: 2,
            },
          })),
          emphasis: { disabled: true },
        },
      ],
    },
    points,
    rowLength: groups.length,
    legend: [],
    columns: [
      { title: axisTitle, unit: null },
      ...nameKeys.map((key) => ({ title: t(`charts:${key}`), unit })),
      { title: t('charts:n'), unit: { name: '', format: formatInteger } },
    ],
    rows: groups.map(({ key, name, n, spread }) => ({
      key,
      cells: [name, ...spreadKeys.map((spreadKey) => spread?.[spreadKey] ?? null), n],
    })),
    summary: groups
      .map(({ name, spread }) =>
        t('charts:point', { name, value: `${t('charts:median')} ${unit.format(spread?.median ?? null)}` }),
      )
      .join('. '),
    isEmpty: groups.every(({ spread }) => spread === null),
  }
}
