import type { VehicleType } from '#contract/mobility.ts'

/** Our vehicle type for each MDS vehicle type except bicycles, which depend on the propulsion. */
const productTypes = {
  car: 'car',
  delivery_robot: 'delivery_robot',
  moped: 'moped',
  scooter: 'scooter',
  scooter_standing: 'scooter_standing',
  scooter_seated: 'scooter_seated',
  bus: 'other',
  truck: 'other',
  motorcycle: 'other',
  other: 'other',
} as const satisfies Record<string, VehicleType>
type MdsVehicleType = keyof typeof productTypes | 'bicycle' | 'cargo_bicycle'

/** The vehicle types of MDS 2.0. */
export const vehicleTypes: ReadonlySet<MdsVehicleType> = new Set([
  'bicycle',
  'bus',
  'cargo_bicycle',
  'car',
  'delivery_robot',
  'moped',
  'motorcycle',
  'scooter_standing',
  'scooter_seated',
  'truck',
  'other',
])
/** The vehicle types of MDS 1.2. */
export const earlierVehicleTypes: ReadonlySet<MdsVehicleType> = new Set([
  'bicycle',
  'cargo_bicycle',
  'car',
  'scooter',
  'moped',
  'other',
])

/** The propulsion types of MDS 2.0. */
export const propulsions: ReadonlySet<string> = new Set([
  'human',
  'electric_assist',
  'electric',
  'combustion',
  'combustion_diesel',
  'hybrid',
  'hydrogen_fuel_cell',
  'plug_in_hybrid',
])
/** The propulsion types of MDS 1.2. */
export const earlierPropulsions: ReadonlySet<string> = new Set([
  'human',
  'electric_assist',
  'electric',
  'combustion',
])

/** Returns our vehicle type. A bicycle with any propulsion other than human is electric (`bicycle`). */
export function toVehicleType(type: MdsVehicleType | '', propulsionTypes: readonly string[]): VehicleType {
  if (type === '') return 'other'
  if (type === 'bicycle' || type === 'cargo_bicycle')
    return propulsionTypes.some((propulsionType) => propulsionType !== 'human') ? 'bicycle' : 'pedal_bicycle'
  return productTypes[type]
}
