import { arterials } from '../plan/arterials.ts'
import { cityLimit } from '../plan/city-limit.ts'
import { countyRoads } from '../plan/county-roads.ts'
import { freeways } from '../plan/freeways.ts'
import { parkPlan } from '../plan/park-plan.ts'
import { walks } from '../plan/walks.ts'
import type { RiverLine } from '../plan/river-line.ts'
import type { WaterBody } from '../plan/water-plan.ts'
import { type Point, offsetLine } from '../plane/point.ts'
import { smoothLine } from '../plane/smooth-line.ts'
import { smoothNoise } from '../plane/smooth-noise.ts'
import type { DrawnLine } from './drawn-line.ts'
import { coastLine } from '../plan/coast-line.ts'
import type { StreetClass } from '../plan/road.ts'

/** The drives along river and ocean, each from and to a place along it (metres east for the river, north for the coast). */
export function drawShoreDrives({ middle, width }: RiverLine): DrawnLine[] {
  const north = offsetLine(middle, (i) => width[i]! / 2 + 75)
  const south = offsetLine(middle, (i) => -width[i]! / 2 - 70)
  const port = offsetLine(middle, (i) => -width[i]! / 2 - 430)
  const coast = smoothLine(coastLine, 120)
  const beach = offsetLine(coast, () => -170)
  return [
    drive('River Road', 'collector', part(north, 0, -7700, -4700)),
    drive('North Embankment', 'arterial', part(north, 0, -4900, 2900)),
    drive('Headland Drive', 'collector', part(north, 0, 2700, 5900)),
    drive('Riverside Drive', 'collector', part(south, 0, -7900, -3300)),
    drive('Water Street', 'arterial', part(south, 0, -3700, 2080)),
    drive('Dock Street', 'collector', part(port, 0, 1700, 4200)),
    drive('Beach Boulevard', 'collector', part(beach, 1, -1250, 6500)),
    drive('South Beach Drive', 'collector', part(beach, 1, -6600, -3650)),
  ]
}

function drive(name: string, kind: StreetClass, points: Point[]): DrawnLine {
  return { kind, key: name, name, bridge: name !== 'Dock Street', points }
}

function part(line: readonly Point[], axis: 0 | 1, from: number, until: number): Point[] {
  return line.filter((point) => point[axis] >= from && point[axis] < until)
}

/** Half the width and height of the drawn map, in metres: well beyond the city, so that the map does not end at its limit. */
const frame: Point = [38000, 30000]

/** Everything that bounds the cells of the city: water, limit, main roads, shore drives and parks. */
export function drawSkeleton(seed: number, water: readonly WaterBody[], river: RiverLine): DrawnLine[] {
  const [fx, fy] = frame
  const lines: DrawnLine[] = [
    area('limit', 'frame', [
      [-fx, -fy],
      [fx, -fy],
      [fx, fy],
      [-fx, fy],
      [-fx, -fy],
    ]),
  ]
  for (const body of water) lines.push(area('shore', body.name, body.ring))
  lines.push(area('limit', 'city', [...cityLimit, cityLimit[0]!]))
  for (const plan of [...freeways, ...arterials, ...countyRoads, ...walks]) {
    const points = plan.class === 'freeway' ? plan.points : plan.points.map((point) => jitter(seed, point))
    lines.push({
      kind: plan.class,
      key: plan.name,
      name: plan.name,
      bridge: plan.bridge,
      points: smoothLine(points, 95),
    })
  }
  lines.push(...drawShoreDrives(river))
  for (const { name, kind, edge } of parkPlan) {
    const ring = subdivide([...edge, edge[0]!], kind === 'nature' ? 420 : 150)
    lines.push(area(kind === 'nature' ? 'limit' : 'park', name, kind === 'nature' ? fray(seed, ring) : ring))
  }
  return lines
}

function area(kind: DrawnLine['kind'], name: string, points: readonly Point[]): DrawnLine {
  return {
    kind,
    key: `${kind} ${name}`,
    name: kind === 'park' ? `${name} Drive` : name,
    bridge: false,
    points,
  }
}

/** Each seed moves the streets a little. */
function jitter(seed: number, [x, y]: Point): Point {
  return [x + 22 * smoothNoise(seed, x / 900, y / 900), y + 22 * smoothNoise(seed + 1, x / 900, y / 900)]
}

function subdivide(ring: readonly Point[], step: number): Point[] {
  const points: Point[] = []
  for (let i = 0; i + 1 < ring.length; i++) {
    const [a, b] = [ring[i]!, ring[i + 1]!]
    const pieces = Math.max(1, Math.round(Math.hypot(b[0] - a[0], b[1] - a[1]) / step))
    for (let k = 0; k < pieces; k++)
      points.push([a[0] + ((b[0] - a[0]) * k) / pieces, a[1] + ((b[1] - a[1]) * k) / pieces])
  }
  return [...points, ring[0]!]
}

/** Woods and marshes have no straight edges. */
function fray(seed: number, ring: readonly Point[]): Point[] {
  const [west, east] = [Math.min(...ring.map(([x]) => x)), Math.max(...ring.map(([x]) => x))]
  const depth = (east - west) / 11
  const frayed = ring
    .slice(1)
    .map(([x, y]): Point => [
      x + depth * smoothNoise(seed + 21, x / (depth * 2.2), y / (depth * 2.2)),
      y + depth * smoothNoise(seed + 22, x / (depth * 2.2), y / (depth * 2.2)),
    ])
  return smoothLine([...frayed, frayed[0]!], 130)
}
