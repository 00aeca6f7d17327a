import type { Geometry } from '#contract/place.ts'
import { geometryBounds } from '../formats/geometry-bounds.ts'
import { repairShape } from '../repair-shape.ts'

/** A geometry that a person sent, made valid, with what was repaired; or why nothing of it can be kept. */
export type Mended = { geometry: Geometry; repairs: { code: string; text: string }[] } | { fault: string }

const nothing =
  'nothing of this geometry can be kept. Rings need at least four positions, the last like the first.'

/** Coordinates must be in range; what crosses itself is repaired. */
export function mendGiven(given: Geometry): Mended {
  try {
    const [west, south, east, north] = geometryBounds([given])
    if (!(west >= -180 && east <= 180 && south >= -90 && north <= 90))
      return { fault: 'longitudes run from -180 to 180 and latitudes from -90 to 90.' }
    // Without a position there are no bounds, nor anything to keep.
    const { geometry, repairs } = west <= east ? repairShape(given) : { geometry: null, repairs: [] }
    return geometry ? { geometry: geometry as Geometry, repairs } : { fault: nothing }
  } catch {
    // What is no list of positions throws where it is read.
    return { fault: nothing }
  }
}
