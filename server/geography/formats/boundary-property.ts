/** One property name of a boundary file and what it holds. */
export interface BoundaryProperty {
  name: string
  /** Features in which it has a value that is not null and not blank. */
  filled: number
  /** How many different values those are. */
  distinct: number
  /** Up to three of the values, as text. */
  samples: string[]
}
