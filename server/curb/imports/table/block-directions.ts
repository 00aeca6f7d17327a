import type { Position } from '#contract/place.ts'

const metersPerDegree = 111_320

/** Statistics of the positions of a block, from which its main direction follows. */
interface DirectionSums {
  count: number
  /** The mean position. */
  lon: number
  lat: number
  /** Sums of squares and products of the distances from the mean, in meters. */
  east2: number
  north2: number
  eastNorth: number
}

/** Blocks with a smaller standard deviation of positions have no direction. */
const minSpreadMeters = 4

/** The directions of blocks: the principal axes of the positions of their meters, which become lines. */
export class BlockDirections {
  readonly #blocks = new Map<string, DirectionSums>()

  /** Adds a position of a block. */
  add(block: string, [lon, lat]: Position): void {
    let sums = this.#blocks.get(block)
    if (!sums) this.#blocks.set(block, (sums = { count: 0, lon, lat, east2: 0, north2: 0, eastNorth: 0 }))
    // Running mean and products around it by Welford's method, which avoids cancellation.
    sums.count++
    const scale = metersPerDegree * Math.cos((lat * Math.PI) / 180)
    const east = (lon - sums.lon) * scale
    const north = (lat - sums.lat) * metersPerDegree
    const share = (sums.count - 1) / sums.count
    sums.east2 += east * east * share
    sums.north2 += north * north * share
    sums.eastNorth += east * north * share
    sums.lon += (lon - sums.lon) / sums.count
    sums.lat += (lat - sums.lat) / sums.count
  }

  /** Returns the direction of a block as a unit vector to the east and north. Null if it has none. */
  find(block: string): [east: number, north: number] | null {
    const sums = this.#blocks.get(block)
    if (!sums || Math.sqrt((sums.east2 + sums.north2) / sums.count) < minSpreadMeters) return null
    const angle = Math.atan2(2 * sums.eastNorth, sums.east2 - sums.north2) / 2
    return [Math.cos(angle), Math.sin(angle)]
  }
}

/** Returns a line with its middle at a point, in a direction. */
export function fitLine(
  [lon, lat]: Position,
  [east, north]: readonly [number, number],
  meters: number,
): Position[] {
  const scale = metersPerDegree * Math.cos((lat * Math.PI) / 180)
  const getPointAt = (share: number): Position => [
    lon + (east * meters * share) / scale,
    lat + (north * meters * share) / metersPerDegree,
  ]
  return [getPointAt(-0.5), getPointAt(0.5)]
}
