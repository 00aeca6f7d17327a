/** Creates a seeded generator of numbers in [0, 1) (mulberry32), the same on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Hashes three integers to one of 32 bits (constants of xxHash and MurmurHash). A random number of a day or vehicle is
 * thus available without drawing those before it.
 */
export function hashNumbers(a: number, b: number, c: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 13) ^ c, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 16), 0x165667b1)
  return (h ^ (h >>> 15)) >>> 0
}
