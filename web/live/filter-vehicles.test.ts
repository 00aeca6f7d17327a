import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type LiveState, liveStateNames } from '#contract/vehicles.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { FleetColumns } from './fleet-columns.ts'
import { type LiveFilters, stateGroups, defaultStates } from './live-filters.ts'
import { filterVehicles } from './filter-vehicles.ts'
import { liveVehicles, type TestVehicle, testTime } from './test-fleet.ts'

const anyVehicle = fc.record({
  operator: fc.constantFrom('one', 'two', 'three'),
  type: fc.constantFrom<VehicleType>('scooter', 'bicycle'),
  state: fc.constantFrom<LiveState>(...liveStateNames),
  battery: fc.option(fc.integer({ min: 0, max: 100 })),
  lon: fc.option(fc.constant(-75)),
  seen: fc.integer({ min: 0, max: 7200 }),
  since: fc.integer({ min: 0, max: 7200 }),
})
const anyFilters: fc.Arbitrary<LiveFilters> = fc.record({
  operators: fc.option(fc.subarray(['one', 'two', 'four'])),
  vehicleTypes: fc.option(fc.subarray<VehicleType>(['scooter', 'bicycle'])),
  states: fc.subarray([...liveStateNames]),
  batteryBelow: fc.option(fc.integer({ min: 1, max: 100 })),
  maxSeenMinutes: fc.option(fc.integer({ min: 1, max: 120 })),
  minParkedMinutes: fc.option(fc.integer({ min: 1, max: 120 })),
})

it('finds vehicles that match every filter, and counts each option with the other filters applied', () => {
  fc.assert(
    fc.property(fc.array(anyVehicle, { maxLength: 40 }), anyFilters, (drawn, filters) => {
      const vehicles: TestVehicle[] = drawn.map((vehicle, handle) => ({ ...vehicle, handle: handle * 2 }))
      const columns = new FleetColumns()
      columns.load(liveVehicles(vehicles))
      const shown = filterVehicles(columns, filters, testTime)
      const passes = (
        vehicle: TestVehicle,
        { operators, vehicleTypes, states, batteryBelow, maxSeenMinutes, minParkedMinutes }: LiveFilters,
      ): boolean =>
        (!operators || operators.includes(vehicle.operator!)) &&
        (!vehicleTypes || vehicleTypes.includes(vehicle.type!)) &&
        states.includes(vehicle.state!) &&
        (batteryBelow === null || (vehicle.battery !== null && vehicle.battery! < batteryBelow)) &&
        (maxSeenMinutes === null || vehicle.seen! <= maxSeenMinutes * 60) &&
        (minParkedMinutes === null ||
          (vehicle.since! >= minParkedMinutes * 60 && vehicle.state !== 'on_trip'))
      const through = vehicles.filter((vehicle) => passes(vehicle, filters))
      expect([...shown.handles]).toEqual(through.map(({ handle }) => handle))
      for (const { operator, type, count: sum } of shown.counts)
        expect(sum).toBe(
          through.filter((vehicle) => vehicle.operator === operator && vehicle.type === type).length,
        )
      expect(shown.counts.reduce((sum, { count }) => sum + count, 0)).toBe(through.length)
      expect(shown.placeless).toBe(through.filter(({ lon }) => lon === null).length)
      const count = (over: Partial<LiveFilters>): number =>
        vehicles.filter((vehicle) => passes(vehicle, { ...filters, ...over })).length
      for (const operator of ['one', 'two', 'three'])
        expect(shown.byOperator.get(operator) ?? 0).toBe(count({ operators: [operator] }))
      for (const vehicleType of ['scooter', 'bicycle'] as const)
        expect(shown.byType.get(vehicleType) ?? 0).toBe(count({ vehicleTypes: [vehicleType] }))
      for (const state of liveStateNames)
        expect(shown.byState.get(state) ?? 0).toBe(count({ states: [state] }))
    }),
  )
})

it('puts each state in one group; the default states are those in the right of way', () => {
  expect(Object.values(stateGroups).flat().toSorted()).toEqual([...liveStateNames].toSorted())
  expect(defaultStates).toEqual([
    'available',
    'non_operational',
    'reserved',
    'on_trip',
    'stopped',
    'non_contactable',
  ])
})
