import { expect, test } from 'vitest'
import { makeVehicle } from '../../test/live-records.ts'
import { OperatorVehicles } from './operator-vehicles.ts'
import { ShownVehicles } from './shown-vehicles.ts'

test('OperatorVehicles numbers vehicles and changes of its operators only', () => {
  const allVehicles = new ShownVehicles(0)
  for (const n of Array.from({ length: 50 }).keys()) allVehicles.show(makeVehicle('two', `t${n}`), null)
  const first = allVehicles.show(makeVehicle('one', 'a'), null)
  const visible = new OperatorVehicles(allVehicles, ['one'], 9000)
  let calls = 0
  visible.watch(() => (calls += 1))
  for (const n of Array.from({ length: 50 }).keys()) allVehicles.show(makeVehicle('two', `u${n}`), null)
  expect([visible.lastChange, calls]).toEqual([9000, 0])
  const second = allVehicles.show(makeVehicle('one', 'b'), null)
  allVehicles.show(makeVehicle('one', 'a', 7), first)
  expect([visible.lastChange, calls, [...(visible.changedSince(9000) ?? [])]]).toEqual([9002, 2, [1, 0]])
  expect([...visible.all()].map(({ handle, vehicleId, lon }) => [handle, vehicleId, lon])).toEqual([
    [0, 'a', 7],
    [1, 'b', 2],
  ])
  allVehicles.hide(second)
  expect([visible.get(1), visible.changedSince(9002)]).toEqual([null, new Set([1])])
  expect(allVehicles.show(makeVehicle('one', 'c'), null).handle).toBe(second.handle)
  expect(visible.get(1)).toMatchObject({ handle: 1, vehicleId: 'c' })
})

test('OperatorVehicles rejects change numbers and handles of the whole fleet', () => {
  const allVehicles = new ShownVehicles(1000)
  allVehicles.show(makeVehicle('one', 'a'), null)
  const visible = new OperatorVehicles(allVehicles, ['one'], 2000)
  expect([visible.changedSince(allVehicles.lastChange), visible.get(7)]).toEqual([null, null])
})
