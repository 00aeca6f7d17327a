import { VehicleType } from '#contract/mobility.ts'

/** Words of operators' files for the specification's vehicle types. */
const words = new Map(
  Object.entries<VehicleType>({
    electric_bike: 'bicycle',
    ebike: 'bicycle',
    e_bike: 'bicycle',
    electric: 'bicycle',
    electric_bicycle: 'bicycle',
    bike: 'pedal_bicycle',
    classic_bike: 'pedal_bicycle',
    docked_bike: 'pedal_bicycle',
    classic: 'pedal_bicycle',
    standard: 'pedal_bicycle',
    e_scooter: 'scooter',
    electric_scooter: 'scooter',
    escooter: 'scooter',
    standing_scooter: 'scooter_standing',
    seated_scooter: 'scooter_seated',
  }),
)

/** The vehicle type of a word; null for an unknown word. */
export function findVehicleType(word: string): VehicleType | null {
  const key = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  const known = VehicleType.safeParse(key)
  return known.success ? known.data : (words.get(key) ?? null)
}

/** The vehicle type of a word; `other` for an unknown word. */
export const readVehicleType = (word: string): VehicleType => findVehicleType(word) ?? 'other'
