import type { Position } from 'geojson'
import { isValidArea } from './is-valid-area.ts'
import { rebuildArea } from './rebuild-area.ts'
import type { RepairLog } from './repair-log.ts'
import { findEdgePairs, flattenEdges, TangledError } from './edge-pairs.ts'
import { getRingArea } from './ring-area.ts'

/** Computes the area of polygons in m²: outer rings minus holes, independent of ring order. */
export function computeArea(polygons: readonly Position[][][]): number {
  let area = 0
  for (const rings of polygons) {
    rings.forEach((ring, index) => {
      area += Math.abs(getRingArea(ring)) * (index === 0 ? 1 : -1)
    })
  }
  return area
}

/** With this number of edges or fewer, the validity test always takes less than a second. */
const fastEdgeCount = 2000

/** @throws TangledError for areas that would take hours, such as thousands of overlapping edges. */
function rejectTangle(polygons: readonly Position[][][]): void {
  const edges = flattenEdges(polygons.flat())
  // Throws while it enumerates pairs.
  if (edges.length / 4 > fastEdgeCount) findEdgePairs(edges, () => {})
}

/** Grid (about 0.1 mm) to which vertices are snapped if crossings are too close to each other. */
const gridDegrees = 1e-9
/** Parts below this area (m²) and this share of the total are artifacts of crossings, and removed. */
const minPartArea = 0.01
const minPartShare = 1e-6

/**
 * Repairs an area. Returns the same arrays if it is valid, null if nothing of it has an area.
 * @throws TangledError
 */
export function repairInvalidArea(polygons: Position[][][], log: RepairLog): Position[][][] | null {
  rejectTangle(polygons)
  if (isValidArea(polygons)) return polygons
  const repaired = removeTinyParts(rebuild(polygons))
  if (repaired.length === 0) return null
  const change = formatAreaChange(computeArea(polygons), computeArea(repaired))
  if (polygons.length === 1)
    log.add(
      'borders-crossed',
      `A border that crosses or touches itself was cut there and set right. ${change}`,
    )
  else
    log.add(
      'parts-joined',
      `Borders that cross or touch themselves were cut there and set right, and parts that overlap or share a border were joined. ${change}`,
    )
  return repaired
}

/** Rebuilds an area with exact crossings or, if the result is not valid, with crossings on a grid. */
function rebuild(polygons: Position[][][]): Position[][][] {
  try {
    const exact = rebuildArea(polygons, null)
    // Faces are always connected.
    if (exact.length === 0 || isValidArea(exact, true)) return exact
  } catch (error) {
    if (error instanceof TangledError) throw error
  }
  return rebuildArea(polygons, gridDegrees)
}

function removeTinyParts(polygons: Position[][][]): Position[][][] {
  const minArea = Math.min(minPartArea, minPartShare * computeArea(polygons))
  const large = polygons.filter(([outer = []]) => computeArea([[outer]]) >= minArea)
  return large.length === 0 || large.length === polygons.length ? polygons : large
}

function formatAreaChange(areaBefore: number, areaAfter: number): string {
  const change = areaAfter - areaBefore
  if (Math.abs(change) < 1) return 'The area is unchanged to the square meter.'
  const formatArea = (area: number): string => `${Math.round(area).toLocaleString('en')} m²`
  return `The area ${change > 0 ? 'grew' : 'shrank'} by ${formatArea(Math.abs(change))}, from ${formatArea(areaBefore)} to ${formatArea(areaAfter)}.`
}
