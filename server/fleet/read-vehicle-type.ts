import { VehicleType } from '#contract/mobility.ts'

/** Other names of vehicle types, as used in operators' files. */
const synonyms = new Map(
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

/** Finds the vehicle type for a word, ignoring case, spaces and hyphens; null if the word is unknown. */
export function findVehicleType(word: string): VehicleType | null {
  const key = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  const parsed = VehicleType.safeParse(key)
  return parsed.success ? parsed.data : (synonyms.get(key) ?? null)
}

/** Finds the vehicle type for a word, ignoring case, spaces and hyphens; `other` if the word is unknown. */
export const readVehicleType = (word: string): VehicleType => findVehicleType(word) ?? 'other'
