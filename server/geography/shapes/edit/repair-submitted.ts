import type { Geometry } from '#contract/place.ts'
import { computeBounds } from '../../boundary-files/geometry-bounds.ts'
import { repairShape } from '../../geometry/repair-shape.ts'

/** A repaired geometry and its repairs, or the reason why it is unusable. */
export type RepairedGeometry =
  | { geometry: Geometry; repairs: { code: string; text: string }[] }
  | { problem: string }

const unusableText =
  'nothing of this geometry can be kept. Rings need at least four positions, the last like the first.'

/** Repairs a submitted geometry. Coordinates out of range make it unusable. */
export function repairSubmitted(submitted: Geometry): RepairedGeometry {
  try {
    const [west, south, east, north] = computeBounds([submitted])
    if (!(west >= -180 && east <= 180 && south >= -90 && north <= 90))
      return { problem: 'longitudes run from -180 to 180 and latitudes from -90 to 90.' }
    // A geometry without positions has no bounds.
    const { geometry, repairs } = west <= east ? repairShape(submitted) : { geometry: null, repairs: [] }
    return geometry ? { geometry: geometry as Geometry, repairs } : { problem: unusableText }
  } catch {
    // Invalid nesting of coordinates throws when it is read.
    return { problem: unusableText }
  }
}
