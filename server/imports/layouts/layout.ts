import type { TripMapping } from '#contract/imports.ts'

/** A known set of columns of trip files. */
export interface Layout {
  /** Stored as `import.layout`. */
  key: string
  title: string
  /** The names of columns that identify the layout, normalized by `toPlainName`. */
  identifyingColumns: readonly string[]
  /** The possible normalized names of each column. */
  columns: Partial<Record<keyof TripMapping['columns'], readonly string[]>>
  /** The parts of the mapping that do not depend on the header. */
  fixed: Partial<Omit<TripMapping, 'columns'>>
}
