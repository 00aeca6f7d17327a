import type { StagedZone } from '../../store/staged.ts'
import type { Findings } from '../curb-format.ts'
import { plainWord } from './values.ts'

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
const toward: Record<string, [east: number, north: number]> = {
  N: [0, 1],
  NE: [1, 1],
  E: [1, 0],
  SE: [1, -1],
  S: [0, -1],
  SW: [-1, -1],
  W: [-1, 0],
  NW: [-1, 1],
}

/** Blocks that are remembered. */
const maxBlocks = 300_000

/** Compares both sides of a block: its north side must lie north of its south side. */
export class OppositeSides {
  readonly #places = new Map<string, [number, number]>()

  /** Reports a zone that lies on the other side of the street than it says, judged by an earlier zone of its block. */
  check(zone: StagedZone['zone'], findings: Findings): void {
    const {
      street_side: side,
      street_name: street,
      cross_street_start_name: from,
      cross_street_end_name: to,
    } = zone
    if (!side || !street || !from || !to) return
    const place = middleOf(zone.geometry.coordinates)
    if (!place) return
    const block = `${plainWord(street)}|${[plainWord(from), plainWord(to)].toSorted().join('|')}`
    const other = this.#places.get(`${block}|${opposite[side] ?? ''}`)
    const [east, north] = toward[side] ?? [0, 0]
    if (other) {
      const scale = Math.cos((place[1] * Math.PI) / 180)
      if ((place[0] - other[0]) * scale * east + (place[1] - other[1]) * north < -1e-6)
        findings.note(
          'wrong_side',
          `The zone says side ${side}, but lies on the other side of one that says ${opposite[side] ?? ''}.`,
          'street_side',
        )
    }
    if (this.#places.size < maxBlocks) this.#places.set(`${block}|${side}`, place)
  }
}

/** Mean of the positions of a geometry. */
function middleOf(coordinates: unknown): [number, number] | null {
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
