import { expect, it } from 'vitest'
import { dataColors, tokens } from '#web/kit/theme.ts'
import { toRgba } from '#web/map/layers/colors.ts'
import { batteryBands, batteryColors, getBatteryBand, operatorColors, stateColors } from './color-by.ts'
import { FleetColumns } from './fleet-columns.ts'
import { defaultStates } from './live-filters.ts'
import { type ViewInput, LiveView } from './live-view.ts'
import { liveVehicles, testTime } from './test-fleet.ts'

const input: ViewInput = {
  filters: {
    operators: null,
    vehicleTypes: null,
    states: defaultStates,
    batteryBelow: null,
    maxSeenMinutes: null,
    minParkedMinutes: null,
  },
  coloring: 'operator',
  operatorColors: new Map([
    ['one', '#102030'],
    ['two', '#405060'],
  ]),
  scheme: 'light',
  zoom: 14,
  stations: [],
  selected: null,
  userLocation: null,
  at: testTime,
}
const colorAt = (view: LiveView, index: number): number[] =>
  Array.from(view.read()!.colors.subarray(4 * index, 4 * index + 4))

function open() {
  const columns = new FleetColumns()
  columns.load(
    liveVehicles([
      { handle: 0, lon: -75.001 },
      { handle: 1, operator: 'two', state: 'on_trip', battery: 5 },
      { handle: 2, state: 'removed' },
      { handle: 3, lon: null, lat: null },
      { handle: 4, battery: null, lon: -74.9 },
    ]),
  )
  return { columns, view: new LiveView(columns) }
}

it('draws the matching vehicles at their places in their colors', () => {
  const { view } = open()
  expect(view.read()).toBeNull()
  view.update(input)
  const points = view.read()!
  expect([
    points.count,
    points.positions.length,
    points.colors.length,
    view.shown.read()?.handles.length,
    view.shown.read()?.placeless,
  ]).toEqual([3, 6, 12, 4, 1])
  expect([0, 1, 2].map(points.getId)).toEqual(['one:N-0', 'two:N-1', 'one:N-4'])
  expect([colorAt(view, 0), colorAt(view, 1)]).toEqual([toRgba('#102030'), toRgba('#405060')])
  expect(points.positions[0]).toBeCloseTo(-75.001, 6)
})

it('colors by state and by battery', () => {
  const { view } = open()
  view.update({ ...input, coloring: 'state' })
  expect(colorAt(view, 1)).toEqual(toRgba(stateColors('light').on_trip))
  view.update({ ...input, coloring: 'battery', scheme: 'dark' })
  expect([colorAt(view, 1), colorAt(view, 2)]).toEqual([
    toRgba(tokens.dark.red),
    toRgba(dataColors.dark.noData),
  ])
})

it('clusters nearby vehicles at a low zoom', () => {
  const { view } = open()
  view.update({ ...input, zoom: 7 })
  expect([view.read()?.count, view.read()?.clusters.map(({ count }) => count)]).toEqual([0, [3]])
})

it('computes nothing for unchanged input', () => {
  const { view } = open()
  let drawn = 0
  view.watch(() => (drawn += 1))
  view.update(input)
  const shown = view.shown.read()
  view.update({ ...input, zoom: 15, at: testTime + 10_000 })
  expect(drawn).toBe(1)
  view.update({ ...input, selected: 'one:N-4' })
  expect([drawn, view.read()?.selected, view.shown.read()]).toEqual([2, { lon: -74.9, lat: 37 }, shown])
  view.update({ ...input, filters: { ...input.filters, maxSeenMinutes: 5 }, at: testTime + 3_600_000 })
  expect(view.read()?.count).toBe(0)
})

it('moves the position of the user without other computations', () => {
  const { view } = open()
  view.update(input)
  const before = view.read()!
  const userLocation = { lon: -75, lat: 37, accuracy: 20 }
  view.update({ ...input, userLocation })
  expect([
    view.read()?.userLocation,
    view.read()?.positions === before.positions,
    view.read()?.colors === before.colors,
  ]).toEqual([userLocation, true, true])
  view.update({ ...input, userLocation, selected: 'one:N-4' })
  expect([view.read()?.userLocation, view.read()?.selected?.lon]).toEqual([userLocation, -74.9])
})

it('follows changes of the columns', () => {
  const { columns, view } = open()
  view.update({ ...input, selected: 'one:N-0' })
  columns.apply(liveVehicles([{ handle: 0, lon: -75.002 }], { at: 2, gone: [1] }))
  view.refresh()
  expect([view.read()?.count, view.read()?.selected?.lon]).toEqual([2, -75.002])
})

it('chooses a color for an operator without one that differs from the others', () => {
  const known = new Map([['a', dataColors.light.categorical[0]!]])
  expect(operatorColors(['a'], known, 'dark').get('a')).not.toBe(known.get('a'))
  const colors = operatorColors(['a', 'b', 'c'], known, 'light')
  expect(new Set(colors.values()).size).toBe(3)
  expect(colors.get('a')).toBe(dataColors.light.categorical[0])
})

it('has a color for each battery band', () => {
  expect([0, 9, 10, 24, 25, 49, 50, 75, 100].map(getBatteryBand)).toEqual([0, 0, 1, 1, 2, 2, 3, 4, 4])
  expect(batteryColors('light')).toHaveLength(batteryBands.length)
})

it('clusters have the colors of their vehicles, in the order of the legend', () => {
  const { view } = open()
  view.update({ ...input, zoom: 8 })
  expect(view.read()!.clusters).toMatchObject([
    {
      count: 3,
      parts: [
        { color: '#102030', count: 2 },
        { color: '#405060', count: 1 },
      ],
    },
  ])
})

it('has different colors for states and operators', () => {
  for (const scheme of ['light', 'dark'] as const) {
    const { categorical } = dataColors[scheme]
    for (const state of defaultStates) {
      const [red, green, blue] = toRgba(stateColors(scheme)[state])
      for (const other of categorical.map((color) => toRgba(color)))
        expect(Math.hypot(red - other[0], green - other[1], blue - other[2])).toBeGreaterThan(40)
    }
  }
})
