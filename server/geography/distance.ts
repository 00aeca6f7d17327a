/** Degrees in WGS 84. */
interface Place {
  lon: number
  lat: number
}

const radians = Math.PI / 180
/** WGS 84: half the long axis in metres, and the squared eccentricity. */
const [axis, eccentricity] = [6_378_137, 0.006_694_379_990_14]

/** Metres between two places, by the curvature of the ellipsoid half-way: true to a millimetre in a kilometre; farther off only "far" is asked. */
export function metersBetween(one: Place, other: Place): number {
  const middle = ((one.lat + other.lat) / 2) * radians
  const bend = 1 - eccentricity * Math.sin(middle) ** 2
  const turn = Math.abs(one.lon - other.lon) % 360
  const east = (axis / Math.sqrt(bend)) * Math.cos(middle) * Math.min(turn, 360 - turn) * radians
  const north = ((axis * (1 - eccentricity)) / bend ** 1.5) * (one.lat - other.lat) * radians
  return Math.hypot(east, north)
}

/** Metres along a line. */
export function lineLength(line: readonly (readonly [lon: number, lat: number])[]): number {
  let meters = 0
  for (const [at, [lon, lat]] of line.entries()) {
    const [lonBefore, latBefore] = line[at - 1] ?? [lon, lat]
    meters += metersBetween({ lon: lonBefore, lat: latBefore }, { lon, lat })
  }
  return meters
}
