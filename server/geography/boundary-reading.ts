import type { Note } from '#contract/geography.ts'
import type { Box, Geometry } from '#contract/place.ts'

/** A boundary file as read and repaired: what an upload keeps until a layer is made of it. */
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
  /** Of reading and repair; what depends on the name property is added when it is chosen. */
  notes: Note[]
  bbox: Box
}

/** What the worker answers: a reading, or why there is none. */
export type ReadingResult = { reading: BoundaryReading } | { problem: string }
