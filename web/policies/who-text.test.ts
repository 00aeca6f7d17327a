import { expect, it } from 'vitest'
import { VehicleType } from '#contract/mobility.ts'
import { groupOfStates, isEveryVehicleType, stateGroups, statesOfGroup } from './who-text.ts'

it('recognizes each group by its states, in any order', () => {
  for (const group of stateGroups) expect(groupOfStates(statesOfGroup(group))).toBe(group)
  expect(statesOfGroup('all')).toBeNull()
  expect(groupOfStates(['on_trip', 'available', 'reserved'])).toBe('operational')
})
it('is null for an individual selection of states', () => {
  expect(groupOfStates(['available'])).toBeNull()
})

it('treats none and all vehicle types as every type', () => {
  expect(isEveryVehicleType([])).toBe(true)
  expect(isEveryVehicleType(VehicleType.options.toReversed())).toBe(true)
  expect(isEveryVehicleType(VehicleType.options.slice(1))).toBe(false)
})
