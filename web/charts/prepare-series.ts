import { tokens } from '#web/kit/theme.ts'
import type { ChartRow, ChartSeries, SeriesChart } from './chart.ts'
import {
  createBaseOption,
  createCategoryAxis,
  type ChartContext,
  type LegendEntry,
  type PreparedChart,
  getSeriesColor,
  createValueAxis,
} from './prepared-chart.ts'

type Values = ChartSeries['values']

/** Whether the values of a position cover only a part of its time: it is in progress, or data starts within it. */
const isPartial = ({ inProgressIndex, dataStart }: SeriesChart['axis'], index: number): boolean =>
  index === inProgressIndex || (index === 0 && dataStart !== undefined)

/** Prepares values along an axis as lines or bars. */
export function prepareSeries(chart: SeriesChart, context: ChartContext): PreparedChart {
  const { t, scheme, unit } = context
  const { axis, series, before } = chart
  const labels = axis.labels.map((name, index) => {
    const label =
      index === 0 && axis.dataStart !== undefined
        ? t('charts:fromDay', { label: name, day: axis.dataStart })
        : name
    return index === axis.inProgressIndex ? t('charts:unfinished', { label }) : label
  })
  const colors = new Map(
    series.map(({ key, color, isLimit }, index) => [
      key,
      isLimit ? tokens[scheme].ink : getSeriesColor(color, index, scheme),
    ]),
  )
  const currentSeries = series.map((line) => ({ ...line, color: colors.get(line.key)! }))
  const previousSeries = (before?.series ?? []).map((line, index) => ({
    ...line,
    name: series.length === 1 ? before!.name : `${line.name} · ${before!.name}`,
    color: colors.get(line.key) ?? getSeriesColor(line.color, index, scheme),
  }))
  const allSeries = [...currentSeries, ...previousSeries]
  const rows = labels.map((label, index): ChartRow => ({
    key: String(index),
    cells: [label, ...allSeries.map(({ values }) => values[index] ?? null)],
  }))
  const points = labels.map((label, index) =>
    [
      label,
      ...allSeries.map(({ name, values }) =>
        t('charts:point', { name, value: unit.format(values[index] ?? null) }),
      ),
    ].join('\n'),
  )
  const legend: LegendEntry[] = [
    ...currentSeries.map(({ name, color }) => ({ name, color })),
    ...previousSeries.map(({ name, color }) => ({ name, color, isBefore: true })),
  ]
  const partialStyle = chart.kind === 'line' ? 'dotted' : 'dashed'
  const partialLabels = labels.filter(
    (_, index) =>
      isPartial(axis, index) &&
      series.some(({ values, isLimit }) => !isLimit && (values[index] ?? null) !== null),
  )
  const draw = chart.kind === 'line' ? drawLines : drawBars
  return {
    option: {
      ...createBaseOption(scheme, points),
      tooltip: {
        ...(createBaseOption(scheme, points)['tooltip'] as object),
        trigger: 'axis',
        axisPointer: { type: chart.kind === 'line' ? 'line' : 'shadow' },
      },
      ...(chart.kind === 'ranked-bar'
        ? {
            xAxis: { ...createValueAxis(scheme, unit), name: '' },
            yAxis: {
              ...createCategoryAxis(scheme, axis.labels),
              inverse: true,
              axisLabel: { color: tokens[scheme].quiet, interval: 0 },
            },
          }
        : {
            xAxis: {
              ...createCategoryAxis(scheme, axis.labels, axis.labelInterval),
              boundaryGap: chart.kind !== 'line',
            },
            yAxis: createValueAxis(scheme, unit),
          }),
      series: [
        ...currentSeries.flatMap((line) => draw(line, chart, scheme, false)),
        ...previousSeries.flatMap((line) => draw(line, chart, scheme, true)),
      ],
    },
    points,
    rowLength: labels.length,
    legend: [
      ...(legend.length > 1 ? legend : []),
      ...(partialLabels.length > 0
        ? [
            {
              name: t(`charts:partial.${partialStyle}`, { labels: partialLabels.join(', ') }),
              color: tokens[scheme].quiet,
              partialStyle,
            } as const,
          ]
        : []),
    ],
    columns: [{ title: axis.title, unit: null }, ...allSeries.map(({ name }) => ({ title: name, unit }))],
    rows,
    summary: allSeries.map(({ name, values }) => summarize(name, values, labels, context)).join('. '),
    isEmpty: series.every(({ values }) => values.every((value) => value === null)),
  }
}

function summarize(
  name: string,
  values: Values,
  labels: readonly string[],
  { t, unit }: ChartContext,
): string {
  const knownValues = values.flatMap((value, index) =>
    value === null ? [] : [{ value, label: labels[index] }],
  )
  if (knownValues.length === 0) return t('charts:summary.nothing', { name })
  const sorted = knownValues.toSorted((a, b) => a.value - b.value)
  const low = sorted[0]!
  const high = sorted.at(-1)!
  const gapCount = values.length - knownValues.length
  return [
    t('charts:summary.series', {
      name,
      low: unit.format(low.value),
      lowAt: low.label,
      high: unit.format(high.value),
      highAt: high.label,
    }),
    ...(gapCount > 0 ? [t('charts:summary.gaps', { count: gapCount })] : []),
  ].join(', ')
}

interface DrawnSeries {
  name: string
  isLimit?: true
  color: string
  values: Values
}

type Draw = (
  series: DrawnSeries,
  chart: SeriesChart,
  scheme: ChartContext['scheme'],
  isBefore: boolean,
) => object[]

/** A line breaks at gaps; a value between gaps is a dot. The line to or from a partial position is dotted. */
const drawLines: Draw = ({ name, color, values, isLimit }, { axis }, _scheme, isBefore) => {
  const isPartialAt = (index: number): boolean => isPartial(axis, index)
  const isAlone = (index: number): boolean =>
    (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
  const createLine = (lineValues: Values, type: 'solid' | 'dashed' | 'dotted') => ({
    name,
    type: 'line',
    data: lineValues.map((value, index) => ({
      value,
      symbol: isAlone(index) || (type === 'dotted' && isPartialAt(index)) ? 'circle' : 'none',
    })),
    symbolSize: 6,
    connectNulls: false,
    lineStyle: { color, width: isBefore ? 1.5 : 2, type, opacity: isBefore ? 0.8 : 1 },
    itemStyle: { color },
    emphasis: { disabled: true },
  })
  if (isBefore || isLimit) return [createLine(values, 'dashed')]
  const elapsedValues = values.slice(
    0,
    axis.inProgressIndex === undefined ? undefined : axis.inProgressIndex + 1,
  )
  if (!elapsedValues.some((_, index) => isPartialAt(index))) return [createLine(values, 'solid')]
  const isBesidePartial = (index: number): boolean => isPartialAt(index - 1) || isPartialAt(index + 1)
  return [
    createLine(
      values.map((value, index) => (index < elapsedValues.length && !isPartialAt(index) ? value : null)),
      'solid',
    ),
    createLine(
      values.map((value, index) =>
        index < elapsedValues.length && (isPartialAt(index) || isBesidePartial(index)) ? value : null,
      ),
      'dotted',
    ),
  ]
}

/** More bars than this are drawn without gaps and edges, which would make colors of one-pixel bars pale. */
const maxSpacedBars = 100

/** The bar of a partial position is lighter, with a dashed edge; bars of the previous period are hollow. */
const drawBars: Draw = ({ name, color, values }, { kind, axis }, scheme, isBefore) => [
  {
    name,
    type: 'bar',
    ...(kind === 'stacked-bar' ? { stack: isBefore ? 'before' : 'now' } : {}),
    data: values.map((value, index) => ({
      value,
      ...(isPartial(axis, index) && !isBefore
        ? { itemStyle: { opacity: 0.5, borderColor: color, borderWidth: 1.5, borderType: 'dashed' } }
        : {}),
    })),
    barMaxWidth: 48,
    ...(values.length > maxSpacedBars ? { barCategoryGap: 0 } : {}),
    itemStyle: isBefore
      ? { color: tokens[scheme].panel, borderColor: color, borderWidth: 1.5 }
      : {
          color,
          ...(kind === 'stacked-bar' && values.length <= maxSpacedBars
            ? { borderColor: tokens[scheme].panel, borderWidth: 0.5 }
            : {}),
        },
    emphasis: { disabled: true },
  },
]
