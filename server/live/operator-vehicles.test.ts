import { expect, it } from 'vitest'
import type { LiveVehicle } from './live-vehicle.ts'
import { OperatorVehicles } from './operator-vehicles.ts'
import { ShownVehicles } from './shown-vehicles.ts'

const vehicle = (operator: string, vehicleId: string, lon = 2): Omit<LiveVehicle, 'handle'> => ({
  operator,
  vehicleId,
  deviceId: '',
  vehicleType: 'bicycle',
  state: 'available',
  since: 1,
  seen: 1,
  lon,
  lat: 3,
  battery: NaN,
  source: 'gbfs',
})

it('counts vehicles and changes of its operators only', () => {
  const all = new ShownVehicles(0)
  for (const n of Array.from({ length: 50 }).keys()) all.show(vehicle('two', `t${n}`), null)
  const first = all.show(vehicle('one', 'a'), null)
  const own = new OperatorVehicles(all, ['one'], 9000)
  let calls = 0
  own.watch(() => (calls += 1))
  for (const n of Array.from({ length: 50 }).keys()) all.show(vehicle('two', `u${n}`), null)
  expect([own.at, calls]).toEqual([9000, 0])
  const second = all.show(vehicle('one', 'b'), null)
  all.show(vehicle('one', 'a', 7), first)
  expect([own.at, calls, [...(own.changedSince(9000) ?? [])]]).toEqual([9002, 2, [1, 0]])
  expect([...own.all()].map(({ handle, vehicleId, lon }) => [handle, vehicleId, lon])).toEqual([
    [0, 'a', 7],
    [1, 'b', 2],
  ])
  all.hide(second)
  expect([own.of(1), own.changedSince(9002)]).toEqual([null, new Set([1])])
  expect(all.show(vehicle('one', 'c'), null).handle).toBe(second.handle)
  expect(own.of(1)).toMatchObject({ handle: 1, vehicleId: 'c' })
})

it('does not know numbers of the whole fleet', () => {
  const all = new ShownVehicles(1000)
  all.show(vehicle('one', 'a'), null)
  const own = new OperatorVehicles(all, ['one'], 2000)
  expect([own.changedSince(all.at), own.of(7)]).toEqual([null, null])
})
