/** A number between two values, with how little round it is (0 is the roundest). */
interface RoundBreak {
  value: number
  roughness: number
}

const units = [1, 0.5, 0.2]
const decades = 9

/** The roundest number above `low` and not above `high`; the high end itself where nothing rounder fits. */
function roundBreak(low: number, high: number): RoundBreak {
  if (low < 0 && high >= 0) return { value: 0, roughness: 0 }
  const top = Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high))))
  for (let decade = 0; decade < decades; decade++) {
    for (const [at, part] of units.entries()) {
      const unit = part * 10 ** (top - decade)
      // Twelve digits undo the binary residue of products such as 3 x 0.1.
      const value = Number((Math.floor(high / unit + 1e-9) * unit).toPrecision(12))
      if (value > low && value <= high) return { value, roughness: decade + at / units.length }
    }
  }
  return { value: high, roughness: decades }
}

/** One class of values: from `from` (included) up to the next bin's `from`; the last one ends with `to`. */
export interface Bin {
  from: number
  /** The largest value that is in the bin. */
  to: number
  /** How many values are in the bin. */
  count: number
}

interface DistinctValue {
  value: number
  count: number
}

/**
 * Quantile bins, at most `most`, with breaks as round as the data allow. Equal values are never parted, and there are as many bins as there are
 * different values, up to `most`. What means "no value" or "none" is the caller's to leave out; values that are not finite are left out here.
 */
export function quantileBins(values: readonly number[], maxBins = 7): Bin[] {
  const steps = countDistinctValues(values)
  if (steps.length <= maxBins) return steps.map(({ value, count }) => ({ from: value, to: value, count }))
  const bins: Bin[] = []
  let start = 0
  let from = steps[0]!.value
  let left = steps.reduce((sum, each) => sum + each.count, 0)
  for (let remaining = maxBins; remaining > 0; remaining--) {
    const { end, next } = findBestEnd(steps, start, remaining, left / remaining)
    const count = steps.slice(start, end).reduce((sum, each) => sum + each.count, 0)
    bins.push({ from, to: steps[end - 1]!.value, count })
    start = end
    from = next
    left -= count
  }
  return bins
}

/** Which bin a value falls into, or -1 before the first. */
export function binOf(value: number, bins: readonly Bin[]): number {
  return bins.findLastIndex((bin) => value >= bin.from)
}

function countDistinctValues(values: readonly number[]): DistinctValue[] {
  const counts = new Map<number, number>()
  for (const value of values) if (Number.isFinite(value)) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => a.value - b.value)
}

/** Ends a bin near its fair share, at the roundest break within a quarter of that share; the bins still to come keep one value each at least. */
function findBestEnd(
  steps: readonly DistinctValue[],
  start: number,
  remaining: number,
  share: number,
): { end: number; next: number } {
  if (remaining === 1) return { end: steps.length, next: Number.NaN }
  const last = steps.length - (remaining - 1)
  let best = { end: start + 1, next: Number.NaN, cost: Number.POSITIVE_INFINITY }
  let taken = 0
  for (let end = start + 1; end <= last; end++) {
    taken += steps[end - 1]!.count
    const off = Math.abs(taken - share) / share
    const { value, roughness } = roundBreak(steps[end - 1]!.value, steps[end]!.value)
    const cost = off > 0.25 ? 100 * (1 + off) : roughness + 2 * off
    if (cost < best.cost) best = { end, next: value, cost }
    if (taken > 2 * share) break
  }
  return best
}
