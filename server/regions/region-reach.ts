interface Place {
  lon: number
  lat: number
}

/**
 * Straight-line kilometers from the center of a region beyond which a place is outside of it (decision 003).
 */
export const regionReachKm = 60

/** Kilometers between two places, on a sphere. */
export function kilometers(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const rad = Math.PI / 180
  const across = Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lon2 - lon1) * rad) / 2) ** 2
  const h = Math.sin(((lat2 - lat1) * rad) / 2) ** 2 + across
  return 12742.0176 * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Whether longitude and latitude are valid. */
export const isOnEarth = (lon: number, lat: number): boolean => Math.abs(lon) <= 180 && Math.abs(lat) <= 90

/** Two places that differ by at most so many degrees of longitude and of latitude are 48 km apart or less. */
const nearDegrees = 0.3

/** Whether a place is within `regionReachKm` of the center of its region. */
export const isWithinReach = (lon: number, lat: number, center: Place): boolean =>
  isOnEarth(lon, lat) &&
  ((Math.abs(lon - center.lon) <= nearDegrees && Math.abs(lat - center.lat) <= nearDegrees) ||
    kilometers(lon, lat, center.lon, center.lat) <= regionReachKm)
