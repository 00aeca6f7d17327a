import type { Position } from 'geojson'
import { isValidArea } from './is-valid-area.ts'
import { remakeArea } from './remake-area.ts'
import type { RepairLog } from './repair-log.ts'
import { TangledError } from './tangled-error.ts'
import { edgePairs } from './edge-pairs.ts'
import { edgesOf } from './edges-of.ts'
import { ringArea } from './ring-area.ts'

/** Area of polygons in m²: outer rings less their holes, part by part, whichever way they run. */
export function areaOf(polygons: readonly Position[][][]): number {
  let area = 0
  for (const rings of polygons) {
    rings.forEach((ring, index) => {
      area += Math.abs(ringArea(ring)) * (index === 0 ? 1 : -1)
    })
  }
  return area
}

/** Below this many positions even the worst tangle is tested in well under a second. */
const small = 2000

/** The validity test has no limit of its own, and edges that lie on one another in thousands would keep it for hours. @throws TangledError */
function refuseTangle(polygons: readonly Position[][][]): void {
  const edges = edgesOf(polygons.flat())
  if (edges.length / 4 > small) edgePairs(edges, () => {})
}

/** Degrees, about 0.1 mm: how far vertices may move when crossings are so narrow that they cannot be told apart otherwise. */
const grid = 1e-9
/** What crossings leave behind that is smaller than a hand (m²) and a millionth of the whole is no part of the shape. */
const speck = 0.01
const speckShare = 1e-6

/**
 * A valid area of the same meaning: the same arrays when it was valid, null when nothing of it has an area.
 * @throws TangledError
 */
export function mendArea(polygons: Position[][][], log: RepairLog): Position[][][] | null {
  refuseTangle(polygons)
  if (isValidArea(polygons)) return polygons
  const mended = withoutSpecks(remade(polygons))
  if (mended.length === 0) return null
  const change = areaChange(areaOf(polygons), areaOf(mended))
  if (polygons.length === 1)
    log.say(
      'borders-crossed',
      `A border that crosses or touches itself was cut there and set right. ${change}`,
    )
  else
    log.say(
      'parts-joined',
      `Borders that cross or touch themselves were cut there and set right, and parts that overlap or share a border were joined. ${change}`,
    )
  return mended
}

function remade(polygons: Position[][][]): Position[][][] {
  try {
    const exact = remakeArea(polygons, null)
    // A face hangs together by itself.
    if (exact.length === 0 || isValidArea(exact, true)) return exact
  } catch (error) {
    if (error instanceof TangledError) throw error
  }
  return remakeArea(polygons, grid)
}

function withoutSpecks(polygons: Position[][][]): Position[][][] {
  const least = Math.min(speck, speckShare * areaOf(polygons))
  const large = polygons.filter(([outer = []]) => areaOf([[outer]]) >= least)
  return large.length === 0 || large.length === polygons.length ? polygons : large
}

function areaChange(before: number, after: number): string {
  const change = after - before
  if (Math.abs(change) < 1) return 'The area stays the same to the square metre.'
  const shown = (area: number): string => `${Math.round(area).toLocaleString('en')} m²`
  return `The area ${change > 0 ? 'grew' : 'shrank'} by ${shown(Math.abs(change))}, from ${shown(before)} to ${shown(after)}.`
}
