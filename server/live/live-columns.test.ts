import { expect, test } from 'vitest'
import { LiveVehicles } from '#contract/vehicles.ts'
import { toLiveColumns } from './live-columns.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import { filterVehicles } from './filter-vehicles.ts'

const time = Date.UTC(2026, 2, 8, 12)
const vehicle = (handle: number, over: Partial<LiveVehicle> = {}): LiveVehicle => ({
  handle,
  operator: 'one',
  vehicleId: `N-${handle}`,
  deviceId: `d-${handle}`,
  vehicleType: 'scooter',
  state: 'available',
  since: time - 61_000,
  seen: time - 1000,
  lon: -75.123456,
  lat: 37.654321,
  battery: 49.6,
  source: 'events',
  ...over,
})

test('Live columns contain every attribute of each vehicle', () => {
  const columns = toLiveColumns(
    [
      vehicle(3),
      vehicle(4, {
        operator: 'two',
        state: 'lost',
        lon: NaN,
        lat: NaN,
        battery: NaN,
        source: 'gbfs',
        deviceId: '',
      }),
      vehicle(9),
    ],
    { at: 7, time, ids: true, gone: [1] },
  )
  expect(LiveVehicles.parse(columns)).toEqual({
    at: 7,
    time,
    groups: [
      { operator: 'one', vehicle_type: 'scooter', source: 'events' },
      { operator: 'two', vehicle_type: 'scooter', source: 'gbfs' },
    ],
    states: ['available', 'lost'],
    origin: [-75.13, 37.65],
    handle: [3, 1, 5],
    group: [0, 1, 0],
    state: [0, 1, 0],
    vehicle_id: ['N-3', 'N-4', 'N-9'],
    lon: [6544, null, 6544],
    lat: [4321, null, 4321],
    battery: [50, null, 50],
    since: [61, 61, 61],
    seen: [1, 1, 1],
    device_id: ['d-3', '', 'd-9'],
    gone: [1],
  })
})

test('Live columns are empty without vehicles, and have no device ids without permission', () => {
  const columns = LiveVehicles.parse(toLiveColumns([], { at: 7, time }))
  expect(columns).toMatchObject({ groups: [], handle: [], origin: [0, 0] })
  expect(columns).not.toHaveProperty('device_id')
})

test('Live columns encode 50,000 vehicles in less than 2.5 MB', () => {
  const many = Array.from({ length: 50_000 }, (_, n) =>
    vehicle(n, {
      vehicleId: `SW-${100_000 + n}`,
      lon: -75 + (n % 977) / 1000,
      lat: 37 + (n % 883) / 1000,
      since: time - n * 3000,
      seen: time - n * 1000,
      battery: n % 101,
      operator: `operator-${n % 5}`,
    }),
  )
  const start = performance.now()
  const bytes = JSON.stringify(toLiveColumns(many, { at: 1_791_234_567_890_123, time })).length
  expect(bytes).toBeLessThan(2_500_000)
  // Some 40 ms; here only that nothing grows with the square.
  expect(performance.now() - start).toBeLessThan(1500)
})

test('Live columns contain the vehicles that the viewer may see and that match the filters', () => {
  const vehicles = [
    vehicle(0),
    vehicle(1, { operator: 'two' }),
    vehicle(2, { state: 'lost' }),
    vehicle(3, { vehicleType: 'bicycle' }),
  ]
  const picked = (allowed: string[] | null, overrides: Partial<Parameters<typeof filterVehicles>[2]> = {}) =>
    [
      ...filterVehicles(vehicles, allowed, { operators: [], vehicle_types: [], states: [], ...overrides }),
    ].map(({ handle }) => handle)
  expect(picked(null)).toEqual([0, 1, 2, 3])
  expect(picked(['two'])).toEqual([1])
  expect(picked(['two'], { operators: ['one'] })).toEqual([])
  expect(picked([])).toEqual([])
  expect(picked(null, { states: ['lost'] })).toEqual([2])
  expect(picked(null, { operators: ['one'], vehicle_types: ['bicycle'] })).toEqual([3])
})
