import { inRing, type Point, offsetLine } from '../plane/point.ts'
import { smoothLine } from '../plane/smooth-line.ts'
import { coastLine } from './coast-line.ts'
import { islands } from './islands.ts'
import { riverLine, type RiverLine } from './river-line.ts'

/** Standing water within parks. */
const ponds: readonly { name: string; shore: readonly Point[] }[] = [
  {
    name: 'Lake Ames',
    shore: [
      [-6750, -3800],
      [-6400, -3680],
      [-6150, -3850],
      [-6300, -4080],
      [-6620, -4230],
      [-6830, -4080],
    ],
  },
  {
    name: 'Swan Pond',
    shore: [
      [-1900, -700],
      [-1620, -640],
      [-1500, -780],
      [-1700, -930],
      [-2020, -900],
    ],
  },
  {
    name: 'Marsh Pond',
    shore: [
      [5300, 4800],
      [5500, 4740],
      [5640, 4950],
      [5560, 5200],
      [5330, 5100],
    ],
  },
]

/** Where along the river (metres east) the docks of the port are cut into the south bank. */
const docks = [2420, 2680, 2960, 3250, 3540]
const halfWidth = 48
const LENGTH = 330

/** The dock basins as closed rings; each reaches well into the river. */
function dockBasins({ middle, width }: RiverLine): Point[][] {
  const bank = offsetLine(middle, (i) => -width[i]! / 2)
  return docks.map((east) => {
    const i = bank.findIndex(([x]) => x >= east)
    const [a, b] = [bank[i - 1]!, bank[i]!]
    const length = Math.hypot(b[0] - a[0], b[1] - a[1])
    const along: Point = [(b[0] - a[0]) / length, (b[1] - a[1]) / length]
    const corner = (u: number, v: number): Point => [
      b[0] + along[0] * u + along[1] * v,
      b[1] + along[1] * u - along[0] * v,
    ]
    const ring = [
      corner(-halfWidth, LENGTH),
      corner(halfWidth, LENGTH),
      corner(halfWidth, -60),
      corner(-halfWidth, -60),
    ]
    return [...ring, ring[0]!]
  })
}

/** Cooper Creek, from its source in the south to where it joins the river. */
const creekLine: readonly Point[] = [
  [-4800, -14000],
  [-4100, -10000],
  [-3700, -7200],
  [-3550, -5600],
  [-3750, -4500],
  [-3550, -3500],
  [-3300, -2500],
  [-3450, -1500],
  [-3800, -700],
  [-3750, 100],
  [-3620, 800],
  [-3500, 1750],
]

/** Metres from bank to bank. */
const creekWidth = 46

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
