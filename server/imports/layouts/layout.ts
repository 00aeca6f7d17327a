import type { TripMapping } from '#contract/imports.ts'

/** A known column set of trip files. */
export interface Layout {
  key: string
  title: string
  /** The header fields that identify it, normalized by `plainName`. */
  has: readonly string[]
  /** Its mapping, by normalized names; null for columns that the header lacks. */
  columns: Partial<Record<keyof TripMapping['columns'], readonly string[]>>
  fixed: Partial<Omit<TripMapping, 'columns'>>
}
