/** Computes the nearest-rank quantile (share from 0 to 1) of a histogram; null if it is empty. */
export function computeQuantile(
  histogram: readonly (readonly [value: number, count: number])[],
  share: number,
): number | null {
  const sorted = histogram.filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  let remaining = Math.max(1, Math.ceil(share * total))
  for (const [value, count] of sorted) {
    remaining -= count
    if (remaining <= 0) return value
  }
  return null
}
