import type { Position } from 'geojson'
import { cleanPositions } from './clean-positions.ts'
import type { RepairLog } from './repair-log.ts'

/** Fewest positions of a closed ring: three corners and the first again. */
const FEWEST = 4

/**
 * Polygons whose rings are closed, of at least three corners and without repeated points.
 * A polygon that loses its outer ring is dropped with its holes. Rings in order come back as the same arrays.
 */
export function cleanRings(polygons: Position[][][], log: RepairLog): Position[][][] {
  let changed = false
  const cleaned: Position[][][] = []
  for (const rings of polygons) {
    const kept = rings.map((ring) => cleanRing(ring, log))
    const [outer] = kept
    const good = kept.filter((ring) => ring !== null)
    log.count('ring-dropped', kept.length - good.length)
    if (good.length !== rings.length || good.some((ring, index) => ring !== rings[index])) changed = true
    if (outer !== null && outer !== undefined) cleaned.push(good)
  }
  return changed ? cleaned : polygons
}

function cleanRing(ring: Position[], log: RepairLog): Position[] | null {
  const { positions, notFinite, repeated } = cleanPositions(ring)
  log.count('position-not-finite', notFinite)
  const [first] = positions
  const last = positions.at(-1)
  const open = first !== undefined && last !== undefined && (first[0] !== last[0] || first[1] !== last[1])
  const closed = open ? [...positions, [...first]] : positions
  if (closed.length < FEWEST) return null
  log.count('points-repeated', repeated)
  if (open) log.count('ring-closed')
  return closed
}
