/** The nearest-rank quantile (share 0 to 1) of counted values; null without values. */
export function quantileOf(
  counted: readonly (readonly [value: number, count: number])[],
  share: number,
): number | null {
  const sorted = counted.filter(([, count]) => count > 0).toSorted(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  let left = Math.max(1, Math.ceil(share * total))
  for (const [value, count] of sorted) {
    left -= count
    if (left <= 0) return value
  }
  return null
}
