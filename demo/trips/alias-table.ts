/** A table for drawing indexes in proportion to weights in constant time (Vose's alias method). */
export interface AliasTable {
  /** Probability that a slot returns its own index; otherwise it returns its alias. */
  probability: Float32Array
  alias: Uint16Array
}

/** Builds a table for at most 65,536 weights, not all of them 0. Writes to `into` if it is passed. */
export function buildAliasTable(
  weights: ArrayLike<number>,
  into: AliasTable = {
    probability: new Float32Array(weights.length),
    alias: new Uint16Array(weights.length),
  },
): AliasTable {
  const n = weights.length
  const { probability, alias } = into
  probability.fill(1)
  const scaled = new Float64Array(n)
  let sum = 0
  for (let i = 0; i < n; i++) sum += weights[i]!
  const small: number[] = []
  const large: number[] = []
  for (let i = 0; i < n; i++) {
    scaled[i] = (weights[i]! * n) / sum
    alias[i] = i
    const side = scaled[i]! < 1 ? small : large
    side.push(i)
  }
  while (small.length > 0 && large.length > 0) {
    const s = small.pop()!
    const l = large[large.length - 1]!
    probability[s] = scaled[s]!
    alias[s] = l
    scaled[l] = scaled[l]! + scaled[s]! - 1
    if (scaled[l]! < 1) small.push(large.pop()!)
  }
  // Due to rounding, a weight of 0 may be left over. It must never be drawn.
  for (const s of small) if (weights[s] === 0) probability[s] = 0
  return into
}
