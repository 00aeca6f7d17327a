/** Limits of boundary files. Sizes are in bytes; a position is a pair of coordinates. */
export const limits = {
  unzippedBytes: 400 * 1024 * 1024,
  /** Parsed JSON needs about ten times its size in memory, so zipped files have the same limit as others. */
  jsonBytes: 50 * 1024 * 1024,
  positions: 5_000_000,
  collectionDepth: 16,
  xmlDepth: 200,
  projectionTextLength: 20_000,
  /** Size of the start of a file by which its format is detected. */
  headBytes: 1024 * 1024,
} as const
