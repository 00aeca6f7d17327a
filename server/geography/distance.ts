/** Degrees in WGS 84. */
interface Place {
  lon: number
  lat: number
}

const radians = Math.PI / 180
/** WGS 84: semi-major axis in meters, and squared eccentricity. */
const [semiMajorAxis, eccentricity2] = [6_378_137, 0.006_694_379_990_14]

/**
 * Distance of two places in meters, by the curvature of the ellipsoid halfway between them. Accurate to a
 * millimeter per kilometer at short distances.
 */
export function metersBetween(one: Place, other: Place): number {
  const middleLat = ((one.lat + other.lat) / 2) * radians
  const w2 = 1 - eccentricity2 * Math.sin(middleLat) ** 2
  const deltaLon = Math.abs(one.lon - other.lon) % 360
  const east =
    (semiMajorAxis / Math.sqrt(w2)) * Math.cos(middleLat) * Math.min(deltaLon, 360 - deltaLon) * radians
  const north = ((semiMajorAxis * (1 - eccentricity2)) / w2 ** 1.5) * (one.lat - other.lat) * radians
  return Math.hypot(east, north)
}

/** Length of a line in meters. */
export function lineLength(line: readonly (readonly [lon: number, lat: number])[]): number {
  let meters = 0
  for (const [at, [lon, lat]] of line.entries()) {
    const [previousLon, previousLat] = line[at - 1] ?? [lon, lat]
    meters += metersBetween({ lon: previousLon, lat: previousLat }, { lon, lat })
  }
  return meters
}
