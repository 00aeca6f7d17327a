import { formatWeekday } from '#web/kit/weekdays.ts'
import { dataColors, type Scheme, tokens } from '#web/kit/theme.ts'
import { formatHourOfDay, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import type { HeatCalendarChart } from './chart.ts'
import {
  createBaseOption,
  createCategoryAxis,
  type ChartContext,
  type PreparedChart,
} from './prepared-chart.ts'

/** Bin of cells without a value. */
const noDataBin = -1

/** Returns the axes: hours from left to right, weekdays from top to bottom. */
const createCalendarAxes = (scheme: Scheme, hours: string[], days: string[]) => ({
  xAxis: { ...createCategoryAxis(scheme, hours), axisLine: { show: false } },
  yAxis: { ...createCategoryAxis(scheme, days), inverse: true, axisLine: { show: false } },
})

/** Returns the color of each bin, which is the third number of a cell. */
const createColorScale = (scheme: Scheme) => ({
  type: 'piecewise',
  show: false,
  dimension: 2,
  pieces: [
    { value: noDataBin, color: dataColors[scheme].noData },
    ...dataColors[scheme].sequential.tide.map((color, index) => ({ value: index, color })),
  ],
})

/** Prepares hours by weekday as cells, in bins of equal width from zero to the highest value. */
export function prepareHeatCalendar(chart: HeatCalendarChart, context: ChartContext): PreparedChart {
  const { t, language, scheme, unit } = context
  const ramp = dataColors[scheme].sequential.tide
  // Indexes from Monday 0; `chart.days` counts from Monday 1.
  const shownDays = chart.values.flatMap((_, day) =>
    !chart.days?.length || chart.days.includes(day + 1) ? [day] : [],
  )
  const shownHours = chart.hours ?? Array.from({ length: 24 }, (_, hour) => hour)
  const days = shownDays.map((day) => formatWeekday(day + 1, language, 'long'))
  const hours = shownHours.map((hour) => formatTimeOfDay({ hour, minute: 0 }))
  const values = shownDays.map((day) => shownHours.map((hour) => chart.values[day]?.[hour] ?? null))
  const cells = values.flatMap((row, day) => row.map((value, hour) => ({ day, hour, value })))
  const knownValues = cells.flatMap(({ value }) => (value === null ? [] : [value]))
  const maxValue = Math.max(0, ...knownValues)
  const getBin = (value: number | null): number => {
    if (value === null) return noDataBin
    if (maxValue === 0) return 0
    return Math.min(ramp.length - 1, Math.max(0, Math.floor((value / maxValue) * ramp.length)))
  }
  const tooltips = cells.map(({ day, hour, value }) => `${days[day]} ${hours[hour]}\n${unit.format(value)}`)
  const formatBinEdge = (index: number): string => unit.format((maxValue * index) / ramp.length)
  // If all values are zero, all cells are in the first bin.
  const legendColors = maxValue === 0 ? ramp.slice(0, 1) : ramp
  const hasGaps = knownValues.length < cells.length
  const highestCell = cells.reduce(
    (a, b) => ((b.value ?? -Infinity) > (a.value ?? -Infinity) ? b : a),
    cells[0]!,
  )
  return {
    option: {
      ...createBaseOption(scheme, tooltips),
      grid: {
        left: 4,
        right: 4,
        top: 4,
        bottom: 4,
        outerBoundsMode: 'same',
        outerBoundsContain: 'axisLabel',
      },
      ...createCalendarAxes(
        scheme,
        shownHours.map(formatHourOfDay),
        shownDays.map((day) => formatWeekday(day + 1, language, 'short')),
      ),
      visualMap: createColorScale(scheme),
      series: [
        {
          type: 'heatmap',
          data: cells.map(({ day, hour, value }) => [hour, day, getBin(value)]),
          itemStyle: { borderColor: tokens[scheme].panel, borderWidth: 1 },
          emphasis: { itemStyle: { borderColor: tokens[scheme].ink, borderWidth: 2 } },
        },
      ],
    },
    points: tooltips,
    rowLength: hours.length,
    legend: [
      ...(knownValues.length > 0
        ? legendColors.map((color, index) => ({
            name: `${formatBinEdge(index)}–${formatBinEdge(index + 1)}`,
            color,
          }))
        : []),
      ...(hasGaps ? [{ name: t('charts:noData'), color: dataColors[scheme].noData }] : []),
    ],
    columns: [{ title: t('charts:weekday'), unit: null }, ...hours.map((hour) => ({ title: hour, unit }))],
    rows: values.map((row, day) => ({ key: String(day), cells: [days[day] ?? '', ...row] })),
    summary:
      knownValues.length === 0
        ? t('charts:noData')
        : t('charts:point', {
            name: t('charts:maximum'),
            value: `${unit.format(highestCell.value)}, ${days[highestCell.day]} ${hours[highestCell.hour]}`,
          }),
    isEmpty: knownValues.length === 0,
  }
}
