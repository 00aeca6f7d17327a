import { z } from 'zod'

/** The nine vehicle types of the specification with their English names. */
export const vehicleTypeTexts = {
  bicycle: 'Electric Bike',
  pedal_bicycle: 'Pedal Bicycle',
  car: 'Car',
  moped: 'Moped',
  scooter: 'Scooter',
  scooter_standing: 'Standing Scooter',
  delivery_robot: 'Delivery Robot',
  scooter_seated: 'Seated Scooter',
  other: 'Other',
} as const

export const VehicleType = z.enum(Object.keys(vehicleTypeTexts) as [keyof typeof vehicleTypeTexts])
export type VehicleType = z.infer<typeof VehicleType>
/** Vehicle types separated by commas; empty: all. */
export const VehicleTypeList = z
  .string()
  .max(200)
  .refine(
    (text) => text === '' || text.split(',').every((type) => VehicleType.safeParse(type).success),
    'Vehicle types are written scooter,bicycle',
  )

/** Why a trip is excluded from medians and means; one bit each in the store (docs/metrics.md, Trips). */
export const qualityFlags = {
  ends_before_start: { bit: 0 },
  over_24_hours: { bit: 1 },
  zero_distance: { bit: 2 },
  zero_duration: { bit: 3 },
  impossible_distance: { bit: 4 },
  impossible_speed: { bit: 5 },
  origin_outside_region: { bit: 6 },
  destination_outside_region: { bit: 7 },
  no_origin: { bit: 8 },
  no_destination: { bit: 9 },
  no_end_time: { bit: 10 },
  skipped_hour: { bit: 11 },
  unknown_vehicle_type: { bit: 12 },
} as const
export type QualityFlag = keyof typeof qualityFlags
export const qualityFlagNames = Object.keys(qualityFlags) as QualityFlag[]

/** Flags that exclude the distance and duration of a trip from medians and means. */
export const outlierFlags: readonly QualityFlag[] = [
  'ends_before_start',
  'over_24_hours',
  'zero_distance',
  'zero_duration',
  'impossible_distance',
  'impossible_speed',
]
/** Encodes flags as they are stored; `toQualityFlags` is the inverse. */
export const toQualityBits = (flags: readonly QualityFlag[]): number =>
  flags.reduce((bits, flag) => bits | (1 << qualityFlags[flag].bit), 0)
/** Returns the quality flags of stored bits; the inverse of `toQualityBits`. */
export const toQualityFlags = (bits: number): QualityFlag[] =>
  qualityFlagNames.filter((flag) => bits & (1 << qualityFlags[flag].bit))
