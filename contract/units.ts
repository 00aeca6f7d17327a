export const metresPerMile = 1609.344

/** Metres in the region's unit. */
export const inDistanceUnit = (metres: number, isMetric: boolean): number =>
  metres / (isMetric ? 1000 : metresPerMile)
export const distanceUnit = (isMetric: boolean): 'km' | 'mi' => (isMetric ? 'km' : 'mi')
