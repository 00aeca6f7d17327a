/** Meters of a degree of latitude. */
const metersPerDegree = 111_195

/** A plane around a latitude, in meters: good for streets of one city. */
export interface Plane {
  x(lon: number): number
  y(lat: number): number
}

export function planeAt(lat: number): Plane {
  const perLon = metersPerDegree * Math.cos((lat * Math.PI) / 180)
  return { x: (lon) => lon * perLon, y: (degrees) => degrees * metersPerDegree }
}
