export const metersPerMile = 1609.344

/** Converts meters to the distance unit of the region. */
export const toDistanceUnit = (meters: number, isMetric: boolean): number =>
  meters / (isMetric ? 1000 : metersPerMile)
export const distanceUnit = (isMetric: boolean): 'km' | 'mi' => (isMetric ? 'km' : 'mi')
