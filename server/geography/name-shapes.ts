import type { Geometry } from '#contract/place.ts'
import type { BoundaryReading } from './boundary-reading.ts'
import { nameOf } from './review-features.ts'

export interface NamedShape {
  name: string
  shapeId: string
  geometry: Geometry
  properties: Record<string, unknown>
}

/** Names the features of a reading by a property; one without it is named by its place in the file, equal names are told apart by a number. */
export function nameShapes(reading: BoundaryReading, property: string | null): NamedShape[] {
  const by = property ?? reading.suggestedName
  const used = new Map<string, number>()
  const names = new Set<string>()
  return reading.features.map((feature) => {
    const base = nameOf(feature.properties, by).slice(0, 200).trim() || `Shape ${feature.position}`
    let times = (used.get(base) ?? 0) + 1
    let name = times > 1 ? `${base} (${times})` : base
    // A name with a number may stand in the file itself.
    while (names.has(name)) name = `${base} (${++times})`
    used.set(base, times)
    names.add(name)
    const id = feature.properties['id'] ?? feature.properties['shape_id'] ?? feature.position
    return { name, shapeId: String(id), geometry: feature.geometry, properties: feature.properties }
  })
}
