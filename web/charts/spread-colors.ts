/** Picks a color for each bin, spread over the whole scheme, so that few bins have very different colors. */
export function spreadColors(scheme: readonly string[], binCount: number): string[] {
  if (binCount < 1 || scheme.length === 0) return []
  if (binCount === 1) return [scheme[Math.ceil(scheme.length / 2)] ?? scheme[0]!]
  return Array.from(
    { length: binCount },
    (_, index) => scheme[Math.round((index * (scheme.length - 1)) / (binCount - 1))]!,
  )
}
