/** The limits of a bin, in the unit of its values. */
interface ValueRange {
  from: number
  to: number
}

/** Returns the limits of bins as labels show them: bins of whole numbers end one below the next bin, others where it begins. */
export function computeBinEnds(bins: readonly ValueRange[], isWhole: boolean): ValueRange[] {
  return bins.map((bin, index) => {
    const next = bins[index + 1]
    const isSingleValue = bin.from === bin.to && bins.every(({ from, to }) => from === to)
    if (next === undefined || isSingleValue) return { from: bin.from, to: bin.to }
    return { from: bin.from, to: isWhole ? Math.max(bin.from, next.from - 1) : next.from }
  })
}

/** Maximum number of decimals of a limit. Limits that differ less are shown alike. */
const maxLimitDigits = 6

/** Returns a limit as it is shown: with up to one decimal, small values are shown as 0.1 (`formatNumber`). */
const roundLimit = (value: number, digits: number): number =>
  digits <= 1 && value > 0 && value < 0.1 ? 0.1 : Number(value.toFixed(digits))

/** Returns the decimals that two limits need to differ from each other and from zero; `digits` if none suffice. */
function countDistinctDigits(low: number, high: number, digits: number): number {
  for (let candidate = digits; candidate <= maxLimitDigits; candidate++) {
    const shownLow = roundLimit(low, candidate)
    const shownHigh = roundLimit(high, candidate)
    const isZero = (shownLow === 0 && low !== 0) || (shownHigh === 0 && high !== 0)
    if (shownLow !== shownHigh && !isZero) return candidate
  }
  return digits
}

/**
 * Returns the number of decimals by limit, for bins of non-negative values: `digits`, or as many as a limit needs
 * to differ from the next lower and the next higher one.
 */
export function computeLimitDigits(ends: readonly ValueRange[], digits: number): ReadonlyMap<number, number> {
  const limits = [...new Set(ends.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b)
  // At `index`: the decimals that the limits `index` and `index + 1` need.
  const neededDigits = limits
    .slice(1)
    .map((limit, index) => countDistinctDigits(limits[index] ?? limit, limit, digits))
  return new Map(
    limits.map((limit, index) => [
      limit,
      Math.max(neededDigits[index - 1] ?? digits, neededDigits[index] ?? digits),
    ]),
  )
}
