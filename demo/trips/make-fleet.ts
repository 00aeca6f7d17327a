import { hashNumbers } from '../hash-numbers.ts'
import { operators } from '../operators.ts'
import { offStreet, type Vehicle } from './vehicle.ts'

/** Makes all vehicles of all operators, which are not deployed yet. */
export function makeFleet(seed: number): Vehicle[] {
  const fleet: Vehicle[] = []
  operators.forEach((operator, operatorIndex) => {
    for (const { vehicleType, vehicles } of operator.fleet) {
      for (let vehicleIndex = 0; vehicleIndex < vehicles; vehicleIndex++) {
        const index = fleet.length
        fleet.push({
          index,
          id: makeUuid(seed, index),
          operator,
          operatorIndex,
          vehicleType,
          edge: offStreet,
          offset: 0,
          busyUntil: 0,
        })
      }
    }
  })
  return fleet
}

function makeUuid(seed: number, index: number): string {
  const hex = [1, 2, 3, 4]
    .map((salt) => hashNumbers(seed, index, salt).toString(16).padStart(8, '0'))
    .join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}
