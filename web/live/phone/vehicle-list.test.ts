import { expect, it } from 'vitest'
import { toRgba } from '#web/map/layers/colors.ts'
import { colorings } from '../color-by.ts'
import { FleetColumns } from '../fleet-columns.ts'
import { paintFleet } from '../live-view.ts'
import { liveVehicles } from '../test-fleet.ts'
import { vehicleColor, metersAway, orderVehicles, shortenVehicleId } from './vehicle-list.tsx'

it("is the vehicle's color on the map, whatever colors represent", () => {
  const columns = new FleetColumns()
  columns.load(
    liveVehicles([
      { handle: 0, battery: 5 },
      { handle: 1, operator: 'two', state: 'on_trip', battery: null },
      { handle: 2, operator: 'unnamed', state: 'lost', battery: 100 },
    ]),
  )
  const operatorColors = new Map([
    ['one', '#102030'],
    ['two', '#405060'],
  ])
  for (const by of colorings)
    for (const scheme of ['light', 'dark'] as const) {
      const { colors } = paintFleet(columns, Uint32Array.from([0, 1, 2]), { by, scheme, operatorColors })
      expect(
        [0, 1, 2].map((handle) =>
          toRgba(vehicleColor(columns, handle, { coloring: by, operatorColors, scheme })),
        ),
      ).toEqual([0, 1, 2].map((index) => Array.from(colors.subarray(4 * index, 4 * index + 4))))
    }
})

const columns = new FleetColumns()
columns.load(
  liveVehicles([
    { handle: 0, id: 'B', lon: -75 },
    { handle: 1, id: 'A', lon: -74.9 },
    { handle: 3, id: 'D', lon: null, lat: null },
    { handle: 4, id: 'C', lon: -74.99 },
  ]),
)
const all = Uint32Array.from([0, 1, 3, 4])
const names = (handles: Uint32Array): string =>
  [...handles].map((handle) => columns.vehicleIds[handle]).join('')

it("sorts by number while the user's position is unknown", () => {
  expect(names(orderVehicles(columns, all, null))).toBe('ABCD')
})

it('sorts by distance, with vehicles at unknown positions last', () => {
  expect(names(orderVehicles(columns, all, { lon: -74.989, lat: 37, accuracy: 5 }))).toBe('CBAD')
  expect(names(orderVehicles(columns, Uint32Array.from([3, 1]), { lon: -75, lat: 37, accuracy: 5 }))).toBe(
    'AD',
  )
})

it('measures straight-line distances', () => {
  expect(Math.round(metersAway({ lon: 0, lat: 0 }, 0, 1))).toBe(111_195)
  expect(Math.round(metersAway({ lon: 10, lat: 60 }, 10.01, 60))).toBe(556)
  expect(metersAway({ lon: 0, lat: 0 }, Number.NaN, 1)).toBeNaN()
})

it('shortens ids that are as long as a UUID', () => {
  expect(shortenVehicleId('HO-2163')).toBe('HO-2163')
  expect(shortenVehicleId('0b5e7a3c-1f2d-4c5b-9a8e-7d6f5e4c3b2a')).toBe('0b5e7a3c…')
})
