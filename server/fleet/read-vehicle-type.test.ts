import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VehicleType } from '#contract/mobility.ts'
import { readVehicleType } from './read-vehicle-type.ts'

test.each([
  ['electric_bike', 'bicycle'],
  ['Classic Bike', 'pedal_bicycle'],
  ['docked-bike', 'pedal_bicycle'],
  [' SCOOTER ', 'scooter'],
  ['standing scooter', 'scooter_standing'],
  ['e-scooter', 'scooter'],
  ['', 'other'],
  ['hovercraft', 'other'],
])('readVehicleType reads %j as %s', (word, type) => expect(readVehicleType(word)).toBe(type))

test('readVehicleType returns a vehicle type of the contract for any word', () => {
  for (const type of VehicleType.options)
    expect(readVehicleType(type.toUpperCase().replaceAll('_', ' '))).toBe(type)
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.constantFrom('constructor', '__proto__', 'toString', 'has own property', 'valueOf'),
      ),
      (word) => {
        expect(VehicleType.options).toContain(readVehicleType(word))
      },
    ),
  )
})
