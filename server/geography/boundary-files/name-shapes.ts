import type { Geometry } from '#contract/place.ts'
import type { BoundaryReading } from './boundary-content.ts'
import { getFeatureName } from './review-features.ts'

/** Numbers may make names slightly longer. */
const maxNameLength = 200

export interface NamedShape {
  name: string
  shapeId: string
  geometry: Geometry
  properties: Record<string, unknown>
}

/**
 * Names the features of a reading by a property, by default the suggested one. Features without a value are
 * named by their position in the file. Repeated names get a number.
 */
export function nameShapes(
  reading: Pick<BoundaryReading, 'features' | 'suggestedName'>,
  property: string | null,
): NamedShape[] {
  const nameProperty = property ?? reading.suggestedName
  const counts = new Map<string, number>()
  const names = new Set<string>()
  return reading.features.map((feature) => {
    const featureName = getFeatureName(feature.properties, nameProperty).slice(0, maxNameLength).trim()
    const baseName = featureName || `Shape ${feature.position}`
    let count = (counts.get(baseName) ?? 0) + 1
    let name = count > 1 ? `${baseName} (${count})` : baseName
    // The numbered name may itself occur in the file.
    while (names.has(name)) name = `${baseName} (${++count})`
    counts.set(baseName, count)
    names.add(name)
    const id = feature.properties['id'] ?? feature.properties['shape_id'] ?? feature.position
    return { name, shapeId: String(id), geometry: feature.geometry, properties: feature.properties }
  })
}
