/**
 * Returns a function that returns the next version of rows in the fact store: microseconds since 1970, or the last
 * version plus one, so that versions increase within a millisecond and when the clock is set back.
 */
export function createVersionCounter(now: () => number): () => bigint {
  let lastVersion = 0n
  return () => {
    const version = BigInt(now()) * 1000n
    lastVersion = version > lastVersion ? version : lastVersion + 1n
    return lastVersion
  }
}
