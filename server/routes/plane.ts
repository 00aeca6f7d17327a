/** The length of a degree of latitude. */
const metersPerDegree = 111_195

/** An equirectangular projection to meters, accurate enough for the streets of a city. */
export interface Plane {
  /** Return meters, from degrees. */
  x(lon: number): number
  y(lat: number): number
}

/** Returns a plane in meters that is accurate near a latitude. */
export function createPlane(lat: number): Plane {
  const metersPerLon = metersPerDegree * Math.cos((lat * Math.PI) / 180)
  return { x: (lon) => lon * metersPerLon, y: (pointLat) => pointLat * metersPerDegree }
}

/** The positions of a vehicle during a trip, sorted by time, in meters on a plane. */
export interface Track {
  x: Float64Array
  y: Float64Array
}
