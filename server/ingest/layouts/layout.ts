import type { TripMapping } from '#contract/ingest.ts'

/** A known column set of trip files. */
export interface Layout {
  key: string
  title: string
  /** The header fields that tell it, in the form of `plainName`. */
  has: readonly string[]
  /** Its mapping, by plain names; null where the header has none of a column's names. */
  columns: Partial<Record<keyof TripMapping['columns'], readonly string[]>>
  fixed: Partial<Omit<TripMapping, 'columns'>>
}

/** A column name without case, spaces and signs: `Start_Latitude` and `start latitude` are one. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
