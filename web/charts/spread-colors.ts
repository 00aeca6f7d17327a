/** Picks a color for each bin, spread over the whole scheme, so that few bins have very different colors. */
export function spreadColors(scheme: readonly string[], bins: number): string[] {
  if (bins < 1 || scheme.length === 0) return []
  if (bins === 1) return [scheme[Math.ceil(scheme.length / 2)] ?? scheme[0]!]
  return Array.from(
    { length: bins },
    (_, index) => scheme[Math.round((index * (scheme.length - 1)) / (bins - 1))]!,
  )
}
