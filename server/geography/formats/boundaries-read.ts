import type { BoundaryFeature } from './boundary-geometry.ts'
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

/** A kind of boundary file. A member never imports the list. */
export interface Format {
  key: string
  title: string
  /** Whether the start of the file, or failing that its name (lower case), says that it is of this kind. */
  recognises(name: string, head: Uint8Array): 'by content' | 'by name' | null
  read(bytes: Uint8Array): ReadBoundaries
}
