import type { Position } from '#contract/place.ts'

const metersPerDegree = 111_320

/** Sums of the places of a block, from which its main direction follows. */
interface Sums {
  count: number
  lon: number
  lat: number
  east2: number
  north2: number
  eastNorth: number
}

/** Blocks with points closer together than this have no direction. */
const minSpreadMeters = 4

/** Direction of each block by the places of its meters (principal axis), so that points become lines along the street. */
export class BlockDirections {
  readonly #blocks = new Map<string, Sums>()

  add(block: string, [lon, lat]: Position): void {
    let sums = this.#blocks.get(block)
    if (!sums) this.#blocks.set(block, (sums = { count: 0, lon, lat, east2: 0, north2: 0, eastNorth: 0 }))
    // Running mean and products around it (Welford), which lose no digits.
    sums.count++
    const scale = metersPerDegree * Math.cos((lat * Math.PI) / 180)
    const [east, north] = [(lon - sums.lon) * scale, (lat - sums.lat) * metersPerDegree]
    const share = (sums.count - 1) / sums.count
    sums.east2 += east * east * share
    sums.north2 += north * north * share
    sums.eastNorth += east * north * share
    sums.lon += (lon - sums.lon) / sums.count
    sums.lat += (lat - sums.lat) / sums.count
  }

  /** Unit vector to the east and north; null if the block has no direction. */
  of(block: string): [east: number, north: number] | null {
    const sums = this.#blocks.get(block)
    if (!sums || Math.sqrt((sums.east2 + sums.north2) / sums.count) < minSpreadMeters) return null
    const angle = Math.atan2(2 * sums.eastNorth, sums.east2 - sums.north2) / 2
    return [Math.cos(angle), Math.sin(angle)]
  }
}

/** A line of this length through a point, in a direction. */
export function lineThrough(
  [lon, lat]: Position,
  [east, north]: readonly [number, number],
  meters: number,
): Position[] {
  const scale = metersPerDegree * Math.cos((lat * Math.PI) / 180)
  const at = (share: number): Position => [
    lon + (east * meters * share) / scale,
    lat + (north * meters * share) / metersPerDegree,
  ]
  return [at(-0.5), at(0.5)]
}
