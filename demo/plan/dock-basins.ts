import { offsetLine } from '../plane/offset-line.ts'
import type { Point } from '../plane/point.ts'
import type { RiverLine } from './river-line.ts'

/** Where along the river (metres east) the docks of the port are cut into the south bank. */
const DOCKS = [2420, 2680, 2960, 3250, 3540]
const HALF_WIDTH = 48
const LENGTH = 330

/** The dock basins as closed rings; each reaches well into the river. */
export function dockBasins({ middle, width }: RiverLine): Point[][] {
  const bank = offsetLine(middle, (i) => -width[i]! / 2)
  return DOCKS.map((east) => {
    const i = bank.findIndex(([x]) => x >= east)
    const [a, b] = [bank[i - 1]!, bank[i]!]
    const length = Math.hypot(b[0] - a[0], b[1] - a[1])
    const along: Point = [(b[0] - a[0]) / length, (b[1] - a[1]) / length]
    const corner = (u: number, v: number): Point => [
      b[0] + along[0] * u + along[1] * v,
      b[1] + along[1] * u - along[0] * v,
    ]
    const ring = [
      corner(-HALF_WIDTH, LENGTH),
      corner(HALF_WIDTH, LENGTH),
      corner(HALF_WIDTH, -60),
      corner(-HALF_WIDTH, -60),
    ]
    return [...ring, ring[0]!]
  })
}
