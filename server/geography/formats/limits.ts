/** What a boundary file may ask of the machine. Sizes in bytes; a position is one pair of coordinates. */
export const limits = {
  fileBytes: 50 * 1024 * 1024,
  zipEntries: 2000,
  unzippedBytes: 400 * 1024 * 1024,
  /** A whole JSON text becomes objects in memory at once, about ten times its size, so one that came zipped may be no larger than one that did not. */
  jsonBytes: 50 * 1024 * 1024,
  positions: 5_000_000,
  collectionDepth: 16,
  xmlDepth: 200,
  projectionTextLength: 20_000,
  notes: 500,
  /** How much of a file the formats see when they are asked whether they know it. */
  headBytes: 1024 * 1024,
} as const
