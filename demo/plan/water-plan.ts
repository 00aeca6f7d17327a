import { inRing } from '../plane/in-ring.ts'
import { offsetLine } from '../plane/offset-line.ts'
import type { Point } from '../plane/point.ts'
import { smoothLine } from '../plane/smooth-line.ts'
import { coastLine } from './coast-line.ts'
import { creekLine, creekWidth } from './creek-line.ts'
import { dockBasins } from './dock-basins.ts'
import { islands } from './islands.ts'
import { ponds } from './ponds.ts'
import { riverLine } from './river-line.ts'

/** A body of water or, with `island`, a piece of land in it. All rings closed. */
export interface WaterBody {
  name: string
  island: boolean
  ring: Point[]
}

/** All water of the map; bodies overlap where they flow into one another. */
export function waterPlan(): WaterBody[] {
  const { middle, width } = riverLine()
  const creek = smoothLine(creekLine, 110)
  const coast = smoothLine(coastLine, 130)
  return [
    { name: 'Atlantic Ocean', island: false, ring: closed([...coast, [60000, -33000], [60000, 33000]]) },
    {
      name: 'Meridian River',
      island: false,
      ring: closed([
        ...offsetLine(middle, (i) => -width[i]! / 2),
        ...offsetLine(middle, (i) => width[i]! / 2).reverse(),
      ]),
    },
    {
      name: 'Cooper Creek',
      island: false,
      ring: closed([
        ...offsetLine(creek, () => -creekWidth / 2),
        ...offsetLine(creek, () => creekWidth / 2).reverse(),
      ]),
    },
    ...dockBasins({ middle, width }).map((ring) => ({ name: 'Inner Harbor', island: false, ring })),
    ...ponds.map(({ name, shore }) => ({ name, island: false, ring: rounded(shore, 60) })),
    ...islands.map(({ name, shore }) => ({ name, island: true, ring: rounded(shore, 90) })),
  ]
}

/** Which body of water a place is in; undefined on land. */
export function waterAt(bodies: readonly WaterBody[], x: number, y: number): WaterBody | undefined {
  const around = bodies.filter(({ ring }) => inRing(ring, x, y))
  return around.some(({ island }) => island) ? undefined : around[0]
}

function closed(ring: Point[]): Point[] {
  return [...ring, ring[0]!]
}

function rounded(shore: readonly Point[], step: number): Point[] {
  const around = [...shore, ...shore, ...shore]
  const curve = smoothLine(around, step)
  const from = curve.findIndex(([x, y]) => x === shore[0]![0] && y === shore[0]![1])
  const start = curve.findIndex(([x, y], i) => i > from && x === shore[0]![0] && y === shore[0]![1])
  const end = curve.findIndex(([x, y], i) => i > start && x === shore[0]![0] && y === shore[0]![1])
  return closed(curve.slice(start, end < 0 ? undefined : end))
}
