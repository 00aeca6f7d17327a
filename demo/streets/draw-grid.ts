import type { RiverLine } from '../plan/river-line.ts'
import type { Zone } from '../plan/zones.ts'
import type { Point } from '../plane/point.ts'
import { smoothNoise } from '../plane/smooth-noise.ts'

/** One street of a zone's grid, drawn over the whole zone and beyond. */
export interface GridLine {
  along: boolean
  /** Counts the parallel streets; neighbours differ by one. */
  number: number
  points: Point[]
}

const step = 55

/** The streets of a zone along and across its direction, reaching so many metres around the middle of the zone. */
export function drawGrid(seed: number, zone: Zone, river: RiverLine, reach: number): GridLine[] {
  const grid: GridLine[] = []
  for (const along of [true, false]) {
    const gap = zone.spacing[along ? 0 : 1]
    const last = Math.ceil(reach / gap)
    for (let number = -last; number <= last; number++) {
      const points: Point[] = []
      for (let t = -Math.ceil(reach / step) * step; t <= reach; t += step) {
        const [u, v] = along ? [t, number * gap] : [number * gap, t]
        const place = zone.angle === undefined ? besideRiver(river, u, v) : turned(zone, zone.angle, u, v)
        if (place) points.push(sway(seed, zone, place))
      }
      if (points.length > 1) grid.push({ along, number, points })
    }
  }
  return grid
}

function turned(zone: Zone, angle: number, u: number, v: number): Point {
  const turn = (angle * Math.PI) / 180
  const [x, y] = zone.seeds[0]!
  return [x + u * Math.cos(turn) - v * Math.sin(turn), y + u * Math.sin(turn) + v * Math.cos(turn)]
}

/** u metres along the river from its northern bend, v metres north of it; nothing far off, where the normals would meet. */
function besideRiver({ middle }: RiverLine, u: number, v: number): Point | undefined {
  if (v < 60 || v > 3300 || u < -5600 || u > 5600) return undefined
  let i = middle.findIndex(([x]) => x > -1000)
  const direction = u < 0 ? -1 : 1
  let rest = Math.abs(u)
  while (i > 12 && i < middle.length - 13) {
    const [a, b] = [middle[i]!, middle[i + direction]!]
    const length = Math.hypot(b[0] - a[0], b[1] - a[1])
    if (length >= rest) break
    rest -= length
    i += direction
  }
  const [a, b] = [middle[i]!, middle[i + direction]!]
  const length = Math.hypot(b[0] - a[0], b[1] - a[1])
  const share = Math.min(1, rest / length)
  // The normal of a long stretch: small wiggles of the river must not cross the streets.
  const [p, q] = [middle[i - 11]!, middle[i + 11]!]
  const [r, s] = [middle[i - 11 + direction]!, middle[i + 11 + direction]!]
  const [dx, dy] = [
    (q[0] - p[0]) * (1 - share) + (s[0] - r[0]) * share,
    (q[1] - p[1]) * (1 - share) + (s[1] - r[1]) * share,
  ]
  const norm = Math.hypot(dx, dy)
  return [a[0] + (b[0] - a[0]) * share - (dy / norm) * v, a[1] + (b[1] - a[1]) * share + (dx / norm) * v]
}

function sway(seed: number, zone: Zone, [x, y]: Point): Point {
  const [metres, length] = zone.sway
  return [
    x + metres * smoothNoise(seed + 11, x / length, y / length),
    y + metres * smoothNoise(seed + 12, x / length, y / length),
  ]
}
