import type { Fields } from './fields.ts'

/** A position; NaN if unknown. Speed in m/s, heading in degrees from north, accuracy in meters. */
export interface Position {
  lon: number
  lat: number
  speed: number
  heading: number
  accuracy: number
}

/** The upper bound of plausible values for speed, heading and accuracy. */
const maxPlausibleValue = 1_000_000

/** Converts the -1 or huge numbers that devices send for unknown values to NaN. */
export const toNanIfUnknown = (value: number): number =>
  value >= 0 && value <= maxPlausibleValue ? value : Number.NaN

const unknownPosition: Position = {
  lon: Number.NaN,
  lat: Number.NaN,
  speed: Number.NaN,
  heading: Number.NaN,
  accuracy: Number.NaN,
}

/**
 * Reads a GPS object of MDS (`lat`, `lng`, …). `accuracyKey`: the name of the horizontal accuracy, which
 * differs by version.
 */
export function readGps(fields: Fields | null, accuracyKey = 'horizontal_accuracy'): Position {
  if (!fields) return unknownPosition
  const lat = fields.number('lat', -90, 90)
  const lon = fields.number('lng', -180, 180)
  fields.checkOptionalNumber('altitude')
  fields.checkOptionalNumber('vertical_accuracy')
  fields.checkOptionalInteger('satellites', 0, Number.MAX_SAFE_INTEGER)
  return {
    lon,
    lat,
    speed: toNanIfUnknown(fields.optionalNumber('speed')),
    heading: toNanIfUnknown(fields.optionalNumber('heading')),
    accuracy: toNanIfUnknown(fields.optionalNumber(accuracyKey)),
  }
}
