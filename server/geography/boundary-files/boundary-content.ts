import type { Note } from '#contract/boundary-files.ts'
import type { Box, Geometry } from '#contract/place.ts'
import type { BoundaryFeature } from './boundary-geometry.ts'

/** The content of a boundary file, before repair. */
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
  /** Whether the start of the file, or else its name in lower case, indicates this format. */
  detect(name: string, head: Uint8Array): 'by content' | 'by name' | null
  read(bytes: Uint8Array): ReadBoundaries | Promise<ReadBoundaries>
}

/** A sentence for the user about something that was omitted or changed while a boundary file was read. */
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

/** A boundary file after reading and repair, stored until a layer is created from it. */
export interface BoundaryReading {
  fileName: string
  format: string
  features: {
    geometry: Geometry
    properties: Record<string, string | number | boolean | null>
    position: number
  }[]
  properties: BoundaryProperty[]
  suggestedName: string | null
  /** Notes of reading and repair. Those that depend on the name property are added when it is chosen. */
  notes: Note[]
  bbox: Box
}

/** The result of the worker: a reading, or a message for the user why there is none. */
export type ReadingResult = { reading: BoundaryReading } | { problem: string }
