import { expect, test } from 'vitest'
import type { LiveVehicle } from './live-vehicle.ts'
import { ShownVehicles } from './shown-vehicles.ts'

const vehicle = (operator: string, vehicleId: string): Omit<LiveVehicle, 'handle'> => ({
  operator,
  vehicleId,
  deviceId: '',
  vehicleType: 'bicycle',
  state: 'available',
  since: 1,
  seen: 1,
  lon: 2,
  lat: 3,
  battery: NaN,
  source: 'gbfs',
})

test('ShownVehicles reuses a free handle for the same operator only', () => {
  const shown = new ShownVehicles(0)
  const first = shown.show(vehicle('one', 'a'), null)
  shown.show(vehicle('two', 'b'), null)
  shown.hide(first)
  expect(shown.get(0)).toBeNull()
  expect(shown.operatorFor(0)).toBe('one')
  expect(shown.show(vehicle('two', 'c'), null).handle).toBe(2)
  expect(shown.show(vehicle('one', 'd'), null).handle).toBe(0)
  expect([...shown.all()].map(({ vehicleId }) => vehicleId)).toEqual(['d', 'b', 'c'])
})

test('ShownVehicles counts no change if a vehicle is the same, also with unknown values', () => {
  const shown = new ShownVehicles(0)
  let calls = 0
  const stop = shown.watch(() => (calls += 1))
  const first = shown.show(vehicle('one', 'a'), null)
  expect(shown.show(vehicle('one', 'a'), first)).toBe(first)
  expect([shown.lastChange, calls]).toEqual([1, 1])
  const moved = shown.show({ ...vehicle('one', 'a'), lon: 2.5 }, first)
  expect([moved.handle, shown.lastChange, calls]).toEqual([0, 2, 2])
  stop()
  shown.hide(moved)
  expect([shown.lastChange, calls]).toEqual([3, 2])
})
