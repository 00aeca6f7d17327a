import type { Geometry } from '#contract/place.ts'
import type { BoundaryReading } from './boundary-content.ts'

interface TestFeature {
  geometry?: Geometry
  properties?: Record<string, string | number | boolean | null>
}

/** Makes a reading of features, by default points without properties. */
export const makeReading = (
  features: TestFeature[],
  suggestedName: string | null = 'name',
): BoundaryReading => ({
  fileName: 'f.geojson',
  format: 'GeoJSON',
  features: features.map(({ geometry, properties = {} }, index) => ({
    geometry: geometry ?? { type: 'Point', coordinates: [0, 0] },
    properties,
    position: index + 1,
  })),
  properties: [],
  suggestedName,
  notes: [],
  bbox: [0, 0, 0, 0],
})
