import type { Note } from '#contract/geography.ts'
import type { Box, Geometry } from '#contract/place.ts'

/** A boundary file after reading and repair, stored until a layer is created from it. */
export interface BoundaryReading {
  fileName: string
  format: string
  features: {
    geometry: Geometry
    properties: Record<string, string | number | boolean | null>
    position: number
  }[]
  properties: { name: string; filled: number; distinct: number; samples: string[] }[]
  suggestedName: string | null
  /** Notes of reading and repair. Those that depend on the name property are added when it is chosen. */
  notes: Note[]
  bbox: Box
}

/** The result of the worker: a reading, or why there is none. */
export type ReadingResult = { reading: BoundaryReading } | { problem: string }
