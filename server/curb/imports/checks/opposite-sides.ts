import type { StagedZone } from '../../store/staged.ts'
import type { Findings } from '../curb-format.ts'
import { normalize } from './values.ts'

const opposite: Record<string, string> = {
  N: 'S',
  S: 'N',
  E: 'W',
  W: 'E',
  NE: 'SW',
  SW: 'NE',
  NW: 'SE',
  SE: 'NW',
}
/** The direction in which each side lies. */
const directions: Record<string, [east: number, north: number]> = {
  N: [0, 1],
  NE: [1, 1],
  E: [1, 0],
  SE: [1, -1],
  S: [0, -1],
  SW: [-1, -1],
  W: [-1, 0],
  NW: [-1, 1],
}

/** Maximum number of sides of blocks in memory. */
const maxBlocks = 300_000

/** Compares the sides of blocks: the north side of a block must be north of its south side. */
export class OppositeSides {
  readonly #places = new Map<string, [number, number]>()

  /** Reports a zone with a side that contradicts the position of an earlier zone of the same block. */
  check(zone: StagedZone['zone'], findings: Findings): void {
    const {
      street_side: side,
      street_name: street,
      cross_street_start_name: from,
      cross_street_end_name: to,
    } = zone
    if (!side || !street || !from || !to) return
    const place = computeMeanPosition(zone.geometry.coordinates)
    if (!place) return
    const block = `${normalize(street)}|${[normalize(from), normalize(to)].toSorted().join('|')}`
    const oppositePlace = this.#places.get(`${block}|${opposite[side] ?? ''}`)
    const [east, north] = directions[side] ?? [0, 0]
    if (oppositePlace) {
      const [[lon, lat], [oppositeLon, oppositeLat]] = [place, oppositePlace]
      const scale = Math.cos((lat * Math.PI) / 180)
      // Negative if this zone is farther back in the direction of its side than the opposite one, by more
      // than 0.1 m.
      if ((lon - oppositeLon) * scale * east + (lat - oppositeLat) * north < -1e-6)
        findings.note(
          'wrong_side',
          `The zone says side ${side}, but lies on the other side of one that says ${opposite[side] ?? ''}.`,
          'street_side',
        )
    }
    if (this.#places.size < maxBlocks) this.#places.set(`${block}|${side}`, place)
  }
}

/** Returns the mean of the positions of a geometry. Null if there are none. */
function computeMeanPosition(coordinates: unknown): [number, number] | null {
  let [x, y, count] = [0, 0, 0]
  const walk = (value: unknown): void => {
    if (!Array.isArray(value)) return
    const [lon, lat] = value as unknown[]
    if (typeof lon === 'number' && typeof lat === 'number') {
      x += lon
      y += lat
      count++
    } else value.forEach(walk)
  }
  walk(coordinates)
  return count ? [x / count, y / count] : null
}
