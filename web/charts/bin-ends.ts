/** The limits of a bin. */
interface ValueRange {
  from: number
  to: number
}

/** The limits of bins in labels: bins of whole numbers end one below the next bin, others where it begins. */
export function binEnds(bins: readonly ValueRange[], isWhole: boolean): ValueRange[] {
  return bins.map((bin, index) => {
    const next = bins[index + 1]
    const isSingleValue = bin.from === bin.to && bins.every((bin) => bin.from === bin.to)
    if (next === undefined || isSingleValue) return { from: bin.from, to: bin.to }
    return { from: bin.from, to: isWhole ? Math.max(bin.from, next.from - 1) : next.from }
  })
}

/** Maximum number of decimals of a limit. Limits that differ less are shown alike. */
const maxLimitDigits = 6

/** Returns a limit as it is shown: with up to one decimal, small values are shown as 0.1 (`formatNumber`). */
const roundLimit = (value: number, digits: number): number =>
  digits <= 1 && value > 0 && value < 0.1 ? 0.1 : Number(value.toFixed(digits))

/** The decimals that two limits need to differ from each other and from zero; `digits` if none suffice. */
function digitsToDiffer(low: number, high: number, digits: number): number {
  for (let tried = digits; tried <= maxLimitDigits; tried++) {
    const [shownLow, shownHigh] = [roundLimit(low, tried), roundLimit(high, tried)]
    const isZero = (shownLow === 0 && low !== 0) || (shownHigh === 0 && high !== 0)
    if (shownLow !== shownHigh && !isZero) return tried
  }
  return digits
}

/**
 * The number of decimals of each limit of bins of non-negative values: `digits`, or as many as it needs to
 * differ from the next lower and the next higher limit.
 */
export function limitDigits(ends: readonly ValueRange[], digits: number): ReadonlyMap<number, number> {
  const limits = [...new Set(ends.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b)
  const needed = limits.slice(1).map((limit, index) => digitsToDiffer(limits[index] ?? limit, limit, digits))
  return new Map(
    limits.map((limit, index) => [limit, Math.max(needed[index - 1] ?? digits, needed[index] ?? digits)]),
  )
}
