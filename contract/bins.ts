/** A break between two bins. A lower roughness means a rounder number; 0 is the roundest. */
interface RoundBreak {
  value: number
  roughness: number
}

/** Breaks are multiples of these fractions of a power of ten, in order of preference. */
const fractions = [1, 0.5, 0.2]
/** Number of powers of ten that are tried, downward from the magnitude of the values. */
const decades = 9

/** Finds the roundest number above `low` and not above `high`; `high` itself if nothing rounder fits. */
function findRoundBreak(low: number, high: number): RoundBreak {
  if (low < 0 && high >= 0) return { value: 0, roughness: 0 }
  const magnitude = Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high))))
  for (let decade = 0; decade < decades; decade++) {
    for (const [index, fraction] of fractions.entries()) {
      const unit = fraction * 10 ** (magnitude - decade)
      // 1e-9 and twelve digits compensate for binary rounding errors, as of 3 x 0.1.
      const value = Number((Math.floor(high / unit + 1e-9) * unit).toPrecision(12))
      if (value > low && value <= high) return { value, roughness: decade + index / fractions.length }
    }
  }
  return { value: high, roughness: decades }
}

/** One class of values: from `from` (included) up to `from` of the next bin; the last bin ends with `to`. */
export interface Bin {
  from: number
  /** Largest value in the bin. */
  to: number
  /** Number of values in the bin. */
  count: number
}

interface DistinctValue {
  value: number
  count: number
}

/**
 * Computes at most `maxBins` quantile bins with breaks as round as the data allows. Equal values are never
 * split, and there are as many bins as distinct values up to `maxBins`. Values that are not finite are
 * ignored; the caller removes values that mean "none".
 */
export function computeQuantileBins(values: readonly number[], maxBins = 7): Bin[] {
  const distinct = countDistinctValues(values)
  if (distinct.length <= maxBins)
    return distinct.map(({ value, count }) => ({ from: value, to: value, count }))
  const bins: Bin[] = []
  let start = 0
  let from = distinct[0]!.value
  let unassigned = distinct.reduce((sum, bin) => sum + bin.count, 0)
  for (let remaining = maxBins; remaining > 0; remaining--) {
    const { end, next } = findBestEnd(distinct, start, remaining, unassigned / remaining)
    const count = distinct.slice(start, end).reduce((sum, bin) => sum + bin.count, 0)
    bins.push({ from, to: distinct[end - 1]!.value, count })
    start = end
    from = next
    unassigned -= count
  }
  return bins
}

/** Finds the index of the bin that contains a value, or -1 for values below the first bin. */
export function findBinIndex(value: number, bins: readonly Bin[]): number {
  return bins.findLastIndex((bin) => value >= bin.from)
}

function countDistinctValues(values: readonly number[]): DistinctValue[] {
  const counts = new Map<number, number>()
  for (const value of values) if (Number.isFinite(value)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => a.value - b.value)
}

/**
 * Finds the end index of the bin that begins at `start`, and the break that begins the next bin: the roundest
 * break at which the bin holds its fair share of values within a quarter. Leaves at least one value for each
 * of the remaining bins.
 */
function findBestEnd(
  distinct: readonly DistinctValue[],
  start: number,
  remaining: number,
  share: number,
): { end: number; next: number } {
  if (remaining === 1) return { end: distinct.length, next: Number.NaN }
  const last = distinct.length - (remaining - 1)
  let best = { end: start + 1, next: Number.NaN, cost: Number.POSITIVE_INFINITY }
  let assigned = 0
  for (let end = start + 1; end <= last; end++) {
    assigned += distinct[end - 1]!.count
    const deviation = Math.abs(assigned - share) / share
    const { value, roughness } = findRoundBreak(distinct[end - 1]!.value, distinct[end]!.value)
    // Within a quarter of the share, roundness decides; beyond it, the factor 100 outweighs any roughness.
    const cost = deviation > 0.25 ? 100 * (1 + deviation) : roughness + 2 * deviation
    if (cost < best.cost) best = { end, next: value, cost }
    if (assigned > 2 * share) break
  }
  return best
}
