interface Place {
  lon: number
  lat: number
}

/** Places farther than this from the center of a region (straight line) are outside of it (decision 003). */
export const regionReachKm = 60
/** The diameter of the Earth in kilometers, by its mean radius. */
const earthDiameterKm = 12742.0176

/** Returns the great-circle distance between two places in kilometers, by the haversine formula. */
export function computeKilometers(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const radiansPerDegree = Math.PI / 180
  const lonTerm =
    Math.cos(lat1 * radiansPerDegree) *
    Math.cos(lat2 * radiansPerDegree) *
    Math.sin(((lon2 - lon1) * radiansPerDegree) / 2) ** 2
  const haversine = Math.sin(((lat2 - lat1) * radiansPerDegree) / 2) ** 2 + lonTerm
  // Rounding may lift the root of antipodal places above 1.
  return earthDiameterKm * Math.asin(Math.min(1, Math.sqrt(haversine)))
}

/** Returns whether longitude and latitude are valid. */
export const isOnEarth = (lon: number, lat: number): boolean => Math.abs(lon) <= 180 && Math.abs(lat) <= 90

/**
 * Places that differ by at most this many degrees of longitude and of latitude are at most 48 km apart, so
 * that their distance need not be computed.
 */
const nearDegrees = 0.3

/** Returns whether a place is valid and within `regionReachKm` of a region's center. */
export const isWithinReach = (lon: number, lat: number, center: Place): boolean =>
  isOnEarth(lon, lat) &&
  ((Math.abs(lon - center.lon) <= nearDegrees && Math.abs(lat - center.lat) <= nearDegrees) ||
    computeKilometers(lon, lat, center.lon, center.lat) <= regionReachKm)
