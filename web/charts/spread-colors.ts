/** As many colors of a scheme as there are bins, from end to end, so that few bins are as easy to tell apart as many. */
export function spreadColors(scheme: readonly string[], bins: number): string[] {
  if (bins <= 1)
    return scheme.length > 0 ? [scheme[Math.ceil(scheme.length / 2)] ?? scheme[0]!].slice(0, bins) : []
  return Array.from({ length: bins }, (_, at) => scheme[Math.round((at * (scheme.length - 1)) / (bins - 1))]!)
}
