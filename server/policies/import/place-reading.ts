import type { BoundaryReading } from '#server/geography/boundary-reading.ts'
import type { BoundaryGeometry } from '#server/geography/formats/boundary-geometry.ts'
import { geometryBounds } from '#server/geography/formats/geometry-bounds.ts'
import { repairShape } from '#server/geography/repair-shape.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Place } from './read-geographies.ts'

/** Geographies of a feed as the features of a layer, mended; each with its id there. */
export function placeReading(agency: string, places: readonly Place[]): BoundaryReading {
  const features = places.flatMap(({ id, name, geometries }) =>
    geometries.map((raw) => {
      const { geometry } = repairShape(raw as BoundaryGeometry)
      if (!geometry)
        throw new Problem('validation_error', `Nothing could be kept of the geography “${name}”.`)
      return { geometry: geometry as Geometry, properties: { id, name } }
    }),
  )
  return {
    fileName: agency,
    format: 'MDS Geography',
    features: features.map((feature, at) => ({ ...feature, position: at + 1 })),
    properties: [],
    suggestedName: 'name',
    notes: [],
    bbox: geometryBounds(features.map(({ geometry }) => geometry as BoundaryGeometry)),
  }
}
