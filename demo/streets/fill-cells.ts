import type { RiverLine } from '../plan/river-line.ts'
import { zones, type Zone } from '../plan/zones.ts'
import { type Point, inRing } from '../plane/point.ts'
import type { Cell } from '../shapes/cell.ts'
import { drawGrid, type GridLine } from './draw-grid.ts'
import type { DrawnLine } from './drawn-line.ts'
import { hashNumbers } from '../hash-numbers.ts'
import { streetWords } from './street-words.ts'

/** The parts of a line inside an area, each drawn `over` metres beyond the edge so that it surely meets it. */
export function clipLine(
  line: readonly Point[],
  rings: readonly (readonly Point[])[],
  over: number,
): Point[][] {
  const parts: Point[][] = []
  let part: Point[] = []
  let inside = within(rings, line[0]!)
  if (inside) part.push(line[0]!)
  for (let i = 0; i + 1 < line.length; i++) {
    const [a, b] = [line[i]!, line[i + 1]!]
    const length = Math.hypot(b[0] - a[0], b[1] - a[1])
    for (const t of crossings(rings, a, b)) {
      const beyond = inside ? t + over / length : t - over / length
      const end: Point = [a[0] + (b[0] - a[0]) * beyond, a[1] + (b[1] - a[1]) * beyond]
      part.push(end)
      if (inside) {
        parts.push(part)
        part = []
      }
      inside = !inside
    }
    if (inside) part.push(b)
  }
  if (part.length > 1) parts.push(part)
  return parts
}

function within(rings: readonly (readonly Point[])[], [x, y]: Point): boolean {
  let inside = false
  for (const ring of rings) if (inRing(ring, x, y)) inside = !inside
  return inside
}

function crossings(rings: readonly (readonly Point[])[], a: Point, b: Point): number[] {
  const found: number[] = []
  const [rx, ry] = [b[0] - a[0], b[1] - a[1]]
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [c, d] = [ring[j]!, ring[i]!]
      if (c[1] < a[1] && d[1] < a[1] && c[1] < b[1] && d[1] < b[1]) continue
      if (c[1] > a[1] && d[1] > a[1] && c[1] > b[1] && d[1] > b[1]) continue
      const [sx, sy] = [d[0] - c[0], d[1] - c[1]]
      const cross = rx * sy - ry * sx
      if (cross === 0) continue
      const t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / cross
      const u = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / cross
      if (t >= 0 && t < 1 && u >= 0 && u < 1) found.push(t)
    }
  }
  return found.sort((p, q) => p - q)
}

/** The name of a street of a zone's grid: the same on its whole length. */
export function streetName(
  seed: number,
  zone: Zone,
  { along, number }: Pick<GridLine, 'along' | 'number'>,
): string {
  const index = number < 0 ? -2 * number - 1 : 2 * number
  switch (zone.naming) {
    case 'numbers':
      return along ? `${word('people', index + 7)} Road` : `W ${ordinal(number + 70)} Street`
    case 'numbers-and-trees':
      return along
        ? `${word('trees', index + (zone.bank === 'north' ? 19 : 0))} Street`
        : `${zone.bank === 'north' ? 'N ' : ''}${ordinal(number + 50)} Street`
    default: {
      const kind = along ? 'Street' : ['Avenue', 'Lane', 'Place', 'Avenue'][hashNumbers(seed, index, 5) % 4]!
      return `${word(zone.naming, index + (along ? 0 : 23))} ${kind}`
    }
  }
}

function word(list: keyof typeof streetWords, index: number): string {
  const words = streetWords[list]
  const round = Math.floor(index / words.length)
  return `${['', 'East ', 'Upper ', 'New '][round % 4]}${words[index % words.length]}`
}

function ordinal(n: number): string {
  const tens = n % 100
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}

/** Metres from the middle of the city beyond which blocks are twice as long, and beyond which they are twice as wide too. */
const long = 2250
const wide = 4600

/** The collector and local streets of every built-up cell, after the grid of its zone. */
export function fillCells(seed: number, cells: readonly Cell[], river: RiverLine): DrawnLine[] {
  const lines: DrawnLine[] = []
  zones.forEach((zone, z) => {
    const grid = drawGrid(
      seed,
      zone,
      river,
      reachOf(
        zone,
        cells.filter((cell) => cell.zone === z),
      ),
    )
    for (const cell of cells) {
      if (cell.zone !== z || cell.kind !== 'built') continue
      const box = boxOf(cell.rings[0]!)
      const distance = Math.hypot(cell.inner[0], cell.inner[1] - 600)
      for (const line of grid) {
        if (distance > (line.along ? wide : long) && line.number % 2 !== 0) continue
        for (const points of clipLine(near(line.points, box), cell.rings, 4)) {
          if (runsAlongEdge(points, cell.rings, zone)) continue
          lines.push(street(seed, zone, line, points))
        }
      }
    }
  })
  return lines
}

/** Metres from the first seed of a zone to its farthest corner, and a little more for the sway. */
function reachOf(zone: Zone, cells: readonly Cell[]): number {
  const [x, y] = zone.seeds[0]!
  let reach = 0
  for (const { rings } of cells)
    for (const [px, py] of rings[0]!) reach = Math.max(reach, Math.hypot(px - x, py - y))
  return reach + 200
}

function street(seed: number, zone: Zone, line: GridLine, points: Point[]): DrawnLine {
  const collector = line.number % zone.collectorEvery === 0
  return {
    kind: collector ? 'collector' : 'local',
    key: `${zone.district} ${line.along} ${line.number}`,
    name: streetName(seed, zone, line),
    bridge: false,
    points,
  }
}

/** A street that keeps close to the edge of its cell would only double the road there. */
function runsAlongEdge(points: readonly Point[], rings: readonly (readonly Point[])[], zone: Zone): boolean {
  let length = 0
  let close = 0
  const margin = Math.min(...zone.spacing) * 0.38
  for (let i = 0; i + 1 < points.length; i++) {
    const [a, b] = [points[i]!, points[i + 1]!]
    const piece = Math.hypot(b[0] - a[0], b[1] - a[1])
    length += piece
    if (isNearEdge([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], rings, margin)) close += piece
  }
  return length < 45 || close > length * 0.55
}

function isNearEdge([x, y]: Point, rings: readonly (readonly Point[])[], margin: number): boolean {
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [a, b] = [ring[j]!, ring[i]!]
      // Most edges are far away, which is cheaper to see than how far.
      if ((a[0] > x + margin && b[0] > x + margin) || (a[0] < x - margin && b[0] < x - margin)) continue
      if ((a[1] > y + margin && b[1] > y + margin) || (a[1] < y - margin && b[1] < y - margin)) continue
      const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
      const t = Math.max(0, Math.min(1, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)))
      if (Math.hypot(a[0] + t * dx - x, a[1] + t * dy - y) < margin) return true
    }
  }
  return false
}

function boxOf(ring: readonly Point[]): readonly [number, number, number, number] {
  const xs = ring.map(([x]) => x)
  const ys = ring.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** The stretch of a line that may touch the box, with one vertex to spare at either end. */
function near(
  points: readonly Point[],
  [west, south, east, north]: readonly [number, number, number, number],
): readonly Point[] {
  const inBox = ([x, y]: Point): boolean => x > west - 80 && x < east + 80 && y > south - 80 && y < north + 80
  const first = points.findIndex(inBox)
  if (first < 0) return points.slice(0, 1)
  const last = points.findLastIndex(inBox)
  return points.slice(Math.max(0, first - 1), last + 2)
}
