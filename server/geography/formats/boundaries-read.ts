import type { BoundaryFeature } from './boundary-geometry.ts'
import type { BoundaryNote } from './boundary-note.ts'
import type { BoundaryProperty } from './boundary-property.ts'

/** The content of a boundary file. */
export interface ReadBoundaries {
  /** Key of the format. */
  format: string
  features: BoundaryFeature[]
  /** All property names, the best shape name first. */
  properties: BoundaryProperty[]
  /** The property that names the shapes best; null if none is suitable. */
  suggestedName: string | null
  notes: BoundaryNote[]
  /** West, south, east, north in degrees. */
  bbox: [number, number, number, number]
}

/** A format of boundary files. */
export interface Format {
  key: string
  title: string
  /** Whether the start of the file or else its lowercase name indicates this format. */
  detect(name: string, head: Uint8Array): 'by content' | 'by name' | null
  read(bytes: Uint8Array): ReadBoundaries
}
