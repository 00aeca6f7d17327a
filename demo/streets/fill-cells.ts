import type { RiverLine } from '../plan/river-line.ts'
import { zones, type Zone } from '../plan/zones.ts'
import type { Point } from '../plane/point.ts'
import type { Cell } from '../shapes/cell.ts'
import { clipLine } from './clip-line.ts'
import { drawGrid, type GridLine } from './draw-grid.ts'
import type { DrawnLine } from './drawn-line.ts'
import { streetName } from './street-name.ts'

/** Metres from the middle of the city beyond which blocks are twice as long, and beyond which they are twice as wide too. */
const LONG = 2250
const WIDE = 4600

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
        if (distance > (line.along ? WIDE : LONG) && line.number % 2 !== 0) continue
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
