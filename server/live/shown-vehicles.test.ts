import { expect, test } from 'vitest'
import { makeVehicle } from '../../test/live-records.ts'
import { ShownVehicles } from './shown-vehicles.ts'

test('ShownVehicles reuses a free handle for the same operator only', () => {
  const shown = new ShownVehicles(0)
  const first = shown.show(makeVehicle('one', 'a'), null)
  shown.show(makeVehicle('two', 'b'), null)
  shown.hide(first)
  expect(shown.get(0)).toBeNull()
  expect(shown.operatorFor(0)).toBe('one')
  expect(shown.show(makeVehicle('two', 'c'), null).handle).toBe(2)
  expect(shown.show(makeVehicle('one', 'd'), null).handle).toBe(0)
  expect([...shown.all()].map(({ vehicleId }) => vehicleId)).toEqual(['d', 'b', 'c'])
})

test('ShownVehicles counts no change if a vehicle is the same, also with unknown values', () => {
  const shown = new ShownVehicles(0)
  let calls = 0
  const stop = shown.watch(() => (calls += 1))
  const first = shown.show(makeVehicle('one', 'a'), null)
  expect(shown.show(makeVehicle('one', 'a'), first)).toBe(first)
  expect([shown.lastChange, calls]).toEqual([1, 1])
  const moved = shown.show({ ...makeVehicle('one', 'a'), lon: 2.5 }, first)
  expect([moved.handle, shown.lastChange, calls]).toEqual([0, 2, 2])
  stop()
  shown.hide(moved)
  expect([shown.lastChange, calls]).toEqual([3, 2])
})
