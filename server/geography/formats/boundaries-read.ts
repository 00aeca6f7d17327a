import type { BoundaryFeature } from './boundary-feature.ts'
import type { BoundaryNote } from './boundary-note.ts'
import type { BoundaryProperty } from './boundary-property.ts'

/** What a boundary file held. */
export interface ReadBoundaries {
  /** Key of the format. */
  format: string
  features: BoundaryFeature[]
  /** All property names, the best shape name first. */
  properties: BoundaryProperty[]
  /** The property that would name the shapes best, null when none would. */
  suggestedName: string | null
  notes: BoundaryNote[]
  /** West, south, east, north in degrees. */
  bbox: [number, number, number, number]
}
