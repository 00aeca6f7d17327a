import type { Fields } from './fields.ts'

/** A position; NaN if unknown. Meters per second, degrees from north, meters. */
export interface Position {
  lon: number
  lat: number
  speed: number
  heading: number
  accuracy: number
}

/** Upper bound of speed, heading and accuracy. */
const maxValue = 1_000_000

/** Devices send -1, or something huge, for unknown values. */
export const known = (value: number): number => (value >= 0 && value <= maxValue ? value : Number.NaN)

export const nowhere: Position = {
  lon: Number.NaN,
  lat: Number.NaN,
  speed: Number.NaN,
  heading: Number.NaN,
  accuracy: Number.NaN,
}

/** Reads a GPS object of MDS (`lat`, `lng`, …); `accuracyKey` is the version's name of the horizontal accuracy. */
export function readGps(fields: Fields | null, accuracyKey = 'horizontal_accuracy'): Position {
  if (!fields) return nowhere
  const lat = fields.number('lat', -90, 90)
  const lon = fields.number('lng', -180, 180)
  fields.numberIfAny('altitude')
  fields.numberIfAny('vertical_accuracy')
  fields.integerIfAny('satellites', 0, Number.MAX_SAFE_INTEGER)
  return {
    lon,
    lat,
    speed: known(fields.numberIfAny('speed')),
    heading: known(fields.numberIfAny('heading')),
    accuracy: known(fields.numberIfAny(accuracyKey)),
  }
}
