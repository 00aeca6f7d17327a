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
