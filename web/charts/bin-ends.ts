/** The limits of a bin. */
interface ValueRange {
  from: number
  to: number
}

/**
 * The limits of bins as labels show them: bins of whole numbers end one below the next bin, others where the
 * next bin begins.
 */
export function binEnds(bins: readonly ValueRange[], isWhole: boolean): ValueRange[] {
  return bins.map((bin, index) => {
    const next = bins[index + 1]
    const isSingleValue = bin.from === bin.to && bins.every((each) => each.from === each.to)
    if (next === undefined || isSingleValue) return { from: bin.from, to: bin.to }
    return { from: bin.from, to: isWhole ? Math.max(bin.from, next.from - 1) : next.from }
  })
}
