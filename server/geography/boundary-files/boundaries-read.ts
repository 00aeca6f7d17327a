import type { BoundaryFeature } from './boundary-geometry.ts'

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
  read(bytes: Uint8Array): ReadBoundaries | Promise<ReadBoundaries>
}

/** What was omitted or changed while a boundary file was read, as a sentence for the user who uploaded it. */
export interface BoundaryNote {
  /** 1-based position of the record; null if the note concerns the whole file. */
  position: number | null
  code: string
  text: string
}

/** A property of a boundary file, with statistics of its values. */
export interface BoundaryProperty {
  name: string
  /** Number of features with a value that is neither null nor blank. */
  filled: number
  /** Number of different values. */
  distinct: number
  /** Up to three of the values, as text. */
  samples: string[]
}
