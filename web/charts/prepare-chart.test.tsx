import i18next from 'i18next'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadRoomTexts, startI18n } from '#web/i18n/start-i18n.ts'
import { formatInteger } from '#web/kit/format.ts'
import { dataColors } from '#web/kit/theme.ts'
import type { Chart, SeriesChart } from './chart.ts'
import { prepareChart } from './prepare-chart.ts'
import { findPositionInBins } from './prepare-distribution.ts'

beforeAll(async () => {
  await startI18n()
  await loadRoomTexts()
})

const unit = { name: 'trips', format: (value: number | null) => formatInteger(value) }
const prepare = (chart: Chart) =>
  prepareChart(chart, { t: i18next.t, language: 'en-US', scheme: 'light', unit })
/** The parts of the option that tests check. */
interface Drawn {
  name?: string
  type: string
  stack?: string
  barCategoryGap?: number
  lineStyle?: { color: string; type: string }
  itemStyle?: { color: string; borderColor?: string }
  data: { value: number | null; symbol?: string; itemStyle?: { opacity: number } }[]
}
const prepareSeries = (chart: Chart) => prepare(chart).option['series'] as Drawn[]
const getValues = ({ data }: Drawn) => data.map(({ value }) => value)

const days: SeriesChart = {
  kind: 'line',
  axis: { title: 'Day', labels: ['Nov 1', 'Nov 2', 'Nov 3', 'Nov 4'], inProgressIndex: 3 },
  series: [
    { key: 'glide', name: 'Glide', color: '#123456', values: [10, null, 0, 7] },
    { key: 'skip', name: 'Skip', values: [4, 5, 6, 1] },
  ],
}
const compared: SeriesChart = {
  ...days,
  before: {
    name: 'October',
    series: [
      { key: 'glide', name: 'Glide', values: [8, 9, 10, 11] },
      { key: 'skip', name: 'Skip', values: [1, 1, null, 2] },
    ],
  },
}

describe('lines', () => {
  it('lines break at gaps, and a value between gaps is a dot', () => {
    const [solid, dotted] = prepareSeries(days)
    expect(getValues(solid!)).toEqual([10, null, 0, null])
    expect(solid!.data.map(({ symbol }) => symbol)).toEqual(['circle', 'none', 'none', 'none'])
    expect([getValues(dotted!), dotted!.lineStyle?.type]).toEqual([[null, null, 0, 7], 'dotted'])
  })
  it('lines from a first position with a part of its time are dotted', () => {
    const [solid, dotted] = prepareSeries({
      ...days,
      axis: {
        ...days.axis,
        labels: ['a', 'b', 'c', 'd', 'e'],
        inProgressIndex: undefined,
        dataStart: 'Oct 29',
      },
      series: [{ key: 'a', name: 'A', values: [1, 2, 3, 4, 5] }],
    })
    expect(getValues(solid!)).toEqual([null, 2, 3, 4, 5])
    expect([getValues(dotted!), dotted!.lineStyle?.type]).toEqual([[1, 2, null, null, null], 'dotted'])
    expect(dotted!.data[0]?.symbol).toBe('circle')
  })
  it('lines have the colors of operators, others those of the palette', () => {
    expect([prepareSeries(days)[0]?.lineStyle?.color, prepareSeries(days)[2]?.lineStyle?.color]).toEqual([
      '#123456',
      dataColors.light.categorical[1],
    ])
  })
  it('lines of the previous period are dashed, in the same color, and appear in legend, table and texts', () => {
    const before = prepareSeries(compared).filter(({ lineStyle }) => lineStyle?.type === 'dashed')
    expect(before.map(({ name, lineStyle }) => [name, lineStyle?.color])).toEqual([
      ['Glide · October', '#123456'],
      ['Skip · October', dataColors.light.categorical[1]],
    ])
    const { legend, columns, rows, points } = prepare(compared)
    expect(legend.map(({ name, isBefore = false }) => [name, isBefore])).toEqual([
      ['Glide', false],
      ['Skip', false],
      ['Glide · October', true],
      ['Skip · October', true],
      ['Dotted: Nov 4 (so far)', false],
    ])
    expect(columns.map(({ title }) => title)).toEqual([
      'Day',
      'Glide',
      'Skip',
      'Glide · October',
      'Skip · October',
    ])
    expect(rows[1]?.cells).toEqual(['Nov 2', null, 5, 9, 1])
    expect(points[1]).toBe('Nov 2\nGlide: n/a\nSkip: 5\nGlide · October: 9\nSkip · October: 1')
  })
})

describe('bars', () => {
  it('bars are on top of each other if stacked; the unfinished position is marked in the drawing and in texts', () => {
    const [bar] = prepareSeries({ ...days, kind: 'stacked-bar' })
    expect([bar?.type, bar?.stack, getValues(bar!)]).toEqual(['bar', 'now', [10, null, 0, 7]])
    expect(bar?.data.map(({ itemStyle }) => itemStyle?.opacity)).toEqual([
      undefined,
      undefined,
      undefined,
      0.5,
    ])
    expect(prepare({ ...days, kind: 'bar' }).points[3]).toBe('Nov 4 (so far)\nGlide: 7\nSkip: 1')
  })
  it('bars of a first position with a part of its time are marked alike', () => {
    const months: SeriesChart = {
      kind: 'stacked-bar',
      axis: {
        title: 'Month',
        labels: ['October 2026', 'November 2026'],
        inProgressIndex: 1,
        dataStart: 'Oct 29',
      },
      series: [{ key: 'a', name: 'A', values: [3, 27] }],
    }
    expect(prepareSeries(months)[0]?.data.map(({ itemStyle }) => itemStyle?.opacity)).toEqual([0.5, 0.5])
    expect(prepare(months).rows.map(({ cells }) => cells)).toEqual([
      ['October 2026 (from Oct 29)', 3],
      ['November 2026 (so far)', 27],
    ])
  })
  it('bars with a part of their time are explained in the legend, which a single series has for them only', () => {
    const getLegendOf = (chart: SeriesChart) => prepare(chart).legend.map(({ name }) => name)
    const single = { ...days, series: days.series.slice(1) }
    expect(getLegendOf({ ...single, kind: 'bar' })).toEqual(['Dashed: Nov 4 (so far)'])
    expect(getLegendOf(days)).toEqual(['Glide', 'Skip', 'Dotted: Nov 4 (so far)'])
    const fromMiddle = { ...single, axis: { ...days.axis, dataStart: 'Nov 1, 2026' } }
    expect(getLegendOf(fromMiddle)).toEqual(['Dotted: Nov 1 (from Nov 1, 2026), Nov 4 (so far)'])
    expect(getLegendOf({ ...days, axis: { ...days.axis, inProgressIndex: undefined } })).toEqual([
      'Glide',
      'Skip',
    ])
    // Nothing is drawn for an unknown value.
    expect(getLegendOf({ ...single, series: [{ key: 'a', name: 'A', values: [1, 2, 3, null] }] })).toEqual([])
  })
  it('bars have neither gaps nor edges if there are many, such as the hours of a week', () => {
    const hours = Array.from({ length: 168 }, (_, hour) => hour)
    const week: SeriesChart = {
      kind: 'stacked-bar',
      axis: { title: 'Hour', labels: hours.map(String) },
      series: [{ key: 'free', name: 'Free', values: hours }],
    }
    const [manyBars] = prepareSeries(week)
    expect([manyBars?.barCategoryGap, manyBars?.itemStyle?.borderColor]).toEqual([0, undefined])
    const [fewBars] = prepareSeries({ ...days, kind: 'stacked-bar' })
    expect([fewBars?.barCategoryGap, fewBars?.itemStyle?.borderColor]).toEqual([
      undefined,
      expect.any(String),
    ])
  })

  it('bars of the previous period are hollow', () => {
    const [, , before] = prepareSeries({ ...compared, kind: 'bar' })
    expect(before?.itemStyle?.borderColor).toBe('#123456')
  })
})

describe('texts of a series chart', () => {
  it('texts of a series chart name the lowest, the highest and the gaps', () => {
    expect(prepare(days).summary).toBe(
      'Glide: lowest 0 (Nov 3), highest 10 (Nov 1), 1 point without data. Skip: lowest 1 (Nov 4 (so far)), highest 6 (Nov 3)',
    )
  })
  it('texts of a series chart say that there are no values', () => {
    const noValues = prepare({ ...days, series: [{ key: 'a', name: 'A', values: [null, null] }] })
    expect([noValues.isEmpty, noValues.summary]).toEqual([true, 'A: no data'])
  })
})

describe('a heat calendar', () => {
  const week = Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (__, hour) =>
      day === 0 && hour === 3 ? null : day === 1 && hour === 8 ? 70 : 0,
    ),
  )
  const prepareCalendar = () => prepare({ kind: 'heat-calendar', values: week })
  it('a heat calendar has a bin for gaps, which is not that of zero', () => {
    const [series] = prepareCalendar().option['series'] as { data: number[][] }[]
    expect([series?.data[3], series?.data[4], series?.data[24 + 8]]).toEqual([
      [3, 0, -1],
      [4, 0, 0],
      [8, 1, 6],
    ])
  })
  it('a heat calendar has weekdays as rows, and a legend with the limits of the classes', () => {
    expect([prepareCalendar().rows[0]?.cells[0], prepareCalendar().rows[1]?.cells[9]]).toEqual(['Monday', 70])
    expect(prepareCalendar().legend.map(({ name }) => name)).toEqual([
      '0–10',
      '10–20',
      '20–30',
      '30–40',
      '40–50',
      '50–60',
      '60–70',
      'No data',
    ])
    expect(prepareCalendar().points[24 + 8]).toBe('Tuesday 8:00 AM\n70')
  })
  it('a heat calendar has only the chosen days and hours, without gaps for others', () => {
    const some = prepare({ kind: 'heat-calendar', values: week, days: [2, 3], hours: [7, 8] })
    expect(some.rows.map(({ cells }) => cells)).toEqual([
      ['Tuesday', 0, 70],
      ['Wednesday', 0, 0],
    ])
    expect([some.rowLength, some.points[1], some.legend.length]).toEqual([2, 'Tuesday 8:00 AM\n70', 7])
  })
})

describe('a histogram', () => {
  const bins = [
    { from: 0, to: 1, count: 4 },
    { from: 1, to: 3, count: 2 },
  ]
  it('a histogram has its marks at the position of their values in the bins', () => {
    expect([0, 0.5, 2, 3, 4, null].map((value) => findPositionInBins(value, bins))).toEqual([
      0,
      0.5,
      1.5,
      2,
      2,
      null,
    ])
    const kilometers = {
      title: 'Distance',
      unit: { name: 'km', format: (value: number | null) => String(value) },
    }
    const chart = prepare({ kind: 'histogram', value: kilometers, bins, mean: 2, median: null })
    const marks = (chart.option['series'] as { markLine?: { data: { xAxis: number }[] } }[])[1]?.markLine
      ?.data
    expect(marks?.map(({ xAxis }) => xAxis)).toEqual([1.5])
    expect(chart.summary).toBe('Mean 2 km. Median null')
    expect(chart.rows.map(({ cells }) => cells)).toEqual([
      [0, 1, 4],
      [1, 3, 2],
    ])
  })
})

describe('boxes', () => {
  it('boxes have no box if the group has no values', () => {
    const chart = prepare({
      kind: 'box',
      axisTitle: 'Operator',
      groups: [
        { key: 'glide', name: 'Glide', n: 9, spread: { min: 1, lower: 2, median: 3, upper: 4, max: 5 } },
        { key: 'skip', name: 'Skip', n: 0, spread: null },
      ],
    })
    expect(
      (chart.option['series'] as { data: { value: number[] }[] }[])[0]?.data.map(({ value }) => value),
    ).toEqual([[1, 2, 3, 4, 5], []])
    expect(chart.rows[1]?.cells).toEqual(['Skip', null, null, null, null, null, 0])
    expect(chart.points[1]).toBe('Skip\nNo data\nn: 0')
  })
})
