import type { Fields } from './fields.ts'

/** A position; NaN: not known. Metres per second, degrees from north, metres. */
export interface Position {
  lon: number
  lat: number
  speed: number
  heading: number
  accuracy: number
}

/** No speed, heading or accuracy is more. */
const most = 1_000_000

/** Devices say -1, or something huge, where they know nothing. */
export const known = (value: number): number => (value >= 0 && value <= most ? value : Number.NaN)

export const nowhere: Position = {
  lon: Number.NaN,
  lat: Number.NaN,
  speed: Number.NaN,
  heading: Number.NaN,
  accuracy: Number.NaN,
}

/** Reads a GPS object of MDS (`lat`, `lng`, …); `accuracyKey` is how the version calls the horizontal accuracy. */
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
