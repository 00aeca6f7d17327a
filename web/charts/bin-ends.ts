/** A class of values, as far as it is written. */
interface ValueRange {
  from: number
  to: number
}

/** What a bin is written with: where it begins and ends. Whole numbers end before the next bin begins; others end where it begins. */
export function binEnds(bins: readonly ValueRange[], isWhole: boolean): ValueRange[] {
  return bins.map((bin, at) => {
    const next = bins[at + 1]
    const isOne = bin.from === bin.to && bins.every((each) => each.from === each.to)
    if (next === undefined || isOne) return { from: bin.from, to: bin.to }
    return { from: bin.from, to: isWhole ? Math.max(bin.from, next.from - 1) : next.from }
  })
}
