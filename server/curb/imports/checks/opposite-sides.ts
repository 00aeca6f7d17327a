import type { StagedZone } from '../../store/staged.ts'
import type { Findings } from '../curb-format.ts'
import { normalize } from './values.ts'

const oppositeSides: Record<string, string> = {
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
  readonly #positions = new Map<string, [number, number]>()

  /** Reports a zone with a side that contradicts the position of an earlier zone of the same block. */
  check(zone: StagedZone['zone'], findings: Findings): void {
    const {
      street_side: side,
      street_name: street,
      cross_street_start_name: from,
      cross_street_end_name: to,
    } = zone
    if (!side || !street || !from || !to) return
    const position = computeMeanPosition(zone.geometry.coordinates)
    if (!position) return
    const block = `${normalize(street)}|${[normalize(from), normalize(to)].toSorted().join('|')}`
    const oppositePosition = this.#positions.get(`${block}|${oppositeSides[side] ?? ''}`)
    const [east, north] = directions[side] ?? [0, 0]
    if (oppositePosition) {
      const [lon, lat] = position
      const [oppositeLon, oppositeLat] = oppositePosition
      const scale = Math.cos((lat * Math.PI) / 180)
      // Negative if this zone is more than 0.1 m behind the opposite one in the direction of its side.
      if ((lon - oppositeLon) * scale * east + (lat - oppositeLat) * north < -1e-6)
        findings.note(
          'wrong_side',
          `The zone says side ${side}, but lies on the other side of one that says ${oppositeSides[side] ?? ''}.`,
          'street_side',
        )
    }
    if (this.#positions.size < maxBlocks) this.#positions.set(`${block}|${side}`, position)
  }
}

/** Returns the mean of the positions of a geometry. Null if there are none. */
function computeMeanPosition(coordinates: unknown): [number, number] | null {
  let x = 0
  let y = 0
  let count = 0
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
