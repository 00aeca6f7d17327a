import { hashNumbers } from '../hash-numbers.ts'
import { cityLimit } from '../plan/city-limit.ts'
import { parkPlan } from '../plan/park-plan.ts'
import type { WaterBody } from '../plan/water-plan.ts'
import { innerPoint } from '../plane/inner-point.ts'
import { inRing, type Point, ringArea } from '../plane/point.ts'
import type { Faces } from '../plane/trace-faces.ts'
import type { Block } from './block.ts'
import type { Cell } from './cell.ts'

const first = [
  'Adams',
  'Bayard',
  'Chapman',
  'Drayton',
  'Eastman',
  'Franklin',
  'Gadsden',
  'Harlan',
  'Irving',
  'Jasper',
  'Keats',
  'Linden',
  'Madison',
  'Noble',
  'Orleans',
  'Pulaski',
  'Ridley',
  'Sumner',
  'Tilden',
  'Union',
  'Vernon',
  'Warren',
  'Wright',
  'Liberty',
]
const last = ['Square', 'Park', 'Green', 'Playground', 'Gardens', 'Common']

/** Whether a block is a small park, drawn from 32 random bits; strips along water mostly are. */
export function pocketPark(
  bits: number,
  isStrip: boolean,
  area: number,
  x: number,
  y: number,
): { name: string; parkKind: string } | undefined {
  const share = (bits >>> 12) / 1048576
  if (isStrip) {
    // The port and the freeway margins are no lawns.
    const isPort = x > 1500 && x < 4600 && y < -900
    return share < 0.8 && !isPort && area > 4000 ? { name: 'Waterfront Park', parkKind: 'park' } : undefined
  }
  if (share > 0.028 || area < 7000 || area > 90_000) return undefined
  return { name: `${first[bits % first.length]} ${last[(bits >>> 5) % last.length]}`, parkKind: 'park' }
}

/** What each face of the finished map is, in the order of the faces. */
export function sortBlocks(
  seed: number,
  faces: Faces,
  cells: readonly Cell[],
  group: readonly number[],
  water: readonly (WaterBody | undefined)[],
): Block[] {
  const boxes = cells.map((cell) => boxOf(cell.rings[0]!))
  return faces.rings.map((rings, face) => {
    const [x, y] = innerPoint(rings)
    const area = rings.reduce((sum, ring) => sum + ringArea(ring), 0)
    const body = water[face]
    const block: Block = { kind: 'built', neighbourhood: -1, name: '', parkKind: '', area }
    if (body) return { ...block, kind: 'water', name: body.name }
    const park = parkPlan.find(({ edge }) => inRing(edge, x, y))
    if (!inRing(cityLimit, x, y))
      return park
        ? { ...block, kind: 'park', name: park.name, parkKind: park.kind }
        : { ...block, kind: 'outside' }
    const cell = cells.findIndex(
      (_, c) => group[c]! >= 0 && within(boxes[c]!, x, y) && inCell(cells[c]!, x, y),
    )
    block.neighbourhood = cell < 0 ? nearestGroup(cells, group, x, y) : group[cell]!
    if (park) return { ...block, kind: 'park', name: park.name, parkKind: park.kind }
    const pocket = pocketPark(
      hashNumbers(seed, Math.round(x), Math.round(y)),
      cells[cell]?.kind === 'strip',
      area,
      x,
      y,
    )
    return pocket ? { ...block, kind: 'park', ...pocket } : block
  })
}

function inCell(cell: Cell, x: number, y: number): boolean {
  return cell.rings.reduce((inside, ring) => inside !== inRing(ring, x, y), false)
}

function within(
  [west, south, east, north]: readonly [number, number, number, number],
  x: number,
  y: number,
): boolean {
  return x >= west && x <= east && y >= south && y <= north
}

/** Tidying moves lines a little, so a sliver of land may lie in no cell of the land. */
function nearestGroup(cells: readonly Cell[], group: readonly number[], x: number, y: number): number {
  let best = 0
  let nearest = Infinity
  cells.forEach((cell, c) => {
    if (group[c]! < 0) return
    for (const [px, py] of cell.rings[0]!) {
      const distance = Math.hypot(px - x, py - y)
      if (distance < nearest) [best, nearest] = [group[c]!, distance]
    }
  })
  return best
}

function boxOf(ring: readonly Point[]): readonly [number, number, number, number] {
  const xs = ring.map(([x]) => x)
  const ys = ring.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}
