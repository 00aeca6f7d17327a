import { cityLimit } from '../plan/city-limit.ts'
import { parkPlan } from '../plan/park-plan.ts'
import type { RiverLine } from '../plan/river-line.ts'
import { waterAt, type WaterBody } from '../plan/water-plan.ts'
import { zoneAt } from '../plan/zone-at.ts'
import { innerPoint } from '../plane/inner-point.ts'
import { inRing, type Point, ringArea } from '../plane/point.ts'
import type { Faces } from '../plane/trace-faces.ts'
import type { Cell } from './cell.ts'

/** Narrower than this (metres), an area between two roads or a road and the shore gets no streets of its own. */
const strip = 150

/** The faces of the skeleton, in their order, with what each is. */
export function findCells(faces: Faces, water: readonly WaterBody[], river: RiverLine): Cell[] {
  return faces.rings.map((rings) => {
    const inner = innerPoint(rings)
    const area = rings.reduce((sum, ring) => sum + ringArea(ring), 0)
    const [x, y] = inner
    const kind = kindOf(water, rings, inner, area)
    return {
      rings,
      inner,
      area,
      kind,
      zone: kind === 'water' || kind === 'outside' ? -1 : zoneAt(river, x, y),
    }
  })
}

function kindOf(
  water: readonly WaterBody[],
  rings: readonly Point[][],
  [x, y]: Point,
  area: number,
): Cell['kind'] {
  if (waterAt(water, x, y)) return 'water'
  if (!inRing(cityLimit, x, y)) return 'outside'
  if (parkPlan.some(({ edge }) => inRing(edge, x, y))) return 'park'
  return (4 * area) / perimeter(rings[0]!) < strip ? 'strip' : 'built'
}

function perimeter(ring: readonly Point[]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [px, py] = ring[(i + ring.length - 1) % ring.length]!
    return sum + Math.hypot(x - px, y - py)
  }, 0)
}
