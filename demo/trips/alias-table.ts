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
  const count = weights.length
  const { probability, alias } = into
  probability.fill(1)
  const scaled = new Float64Array(count)
  let sum = 0
  for (let index = 0; index < count; index++) sum += weights[index]!
  const small: number[] = []
  const large: number[] = []
  for (let index = 0; index < count; index++) {
    scaled[index] = (weights[index]! * count) / sum
    alias[index] = index
    const side = scaled[index]! < 1 ? small : large
    side.push(index)
  }
  while (small.length > 0 && large.length > 0) {
    const smallIndex = small.pop()!
    const largeIndex = large[large.length - 1]!
    probability[smallIndex] = scaled[smallIndex]!
    alias[smallIndex] = largeIndex
    scaled[largeIndex] = scaled[largeIndex]! + scaled[smallIndex]! - 1
    if (scaled[largeIndex]! < 1) small.push(large.pop()!)
  }
  // Due to rounding, a weight of 0 may be left over. It must never be drawn.
  for (const index of small) if (weights[index] === 0) probability[index] = 0
  return into
}
