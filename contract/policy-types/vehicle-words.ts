import type { VehicleType } from '../mobility.ts'
import { propulsionTypes, type PropulsionType } from '../policy.ts'

const mdsTypes: Record<VehicleType, readonly string[]> = {
  bicycle: ['bicycle'],
  pedal_bicycle: ['bicycle'],
  car: ['car'],
  moped: ['moped'],
  scooter: ['scooter_standing', 'scooter_seated'],
  scooter_standing: ['scooter_standing'],
  scooter_seated: ['scooter_seated'],
  delivery_robot: ['delivery_robot'],
  other: ['other'],
}

/** Bicycles are told apart by what drives them; of others any drive is meant, but none that makes a bicycle of the other kind of it. */
const drives = (type: VehicleType): readonly PropulsionType[] =>
  type === 'bicycle'
    ? ['electric_assist', 'electric']
    : type === 'pedal_bicycle'
      ? ['human']
      : propulsionTypes.filter((drive) => drive !== 'human' && drive !== 'electric_assist')

/** Vehicle types and propulsion of a policy in the words of MDS 2.0; left out where all are meant. */
export function mdsVehicles(
  types: readonly VehicleType[],
  chosen: readonly PropulsionType[],
): { vehicle_types?: string[]; propulsion_types?: string[] } {
  const names = [...new Set(types.flatMap((type) => mdsTypes[type]))]
  const bicycles = types.filter((type) => type === 'bicycle' || type === 'pedal_bicycle')
  const derived =
    bicycles.length === 1
      ? propulsionTypes.filter((drive) => types.some((type) => drives(type).includes(drive)))
      : []
  const both = chosen.filter((drive) => !derived.length || derived.includes(drive))
  const propulsion = chosen.length ? (both.length ? both : chosen) : derived
  return {
    ...(names.length ? { vehicle_types: names } : {}),
    ...(propulsion.length ? { propulsion_types: [...propulsion] } : {}),
  }
}
