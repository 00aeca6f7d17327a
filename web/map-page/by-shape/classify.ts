import { quantileBins, type Bin } from '#contract/bins.ts'
import type { ShapeClass } from '#web/map/layers/shape-values.ts'

export interface Classes {
  bins: readonly Bin[]
  of: ReadonlyMap<string, ShapeClass>
  zeros: number
  none: number
}

/** Shared bins for values with the same colors. Zero is a class of its own, separate from the lowest bin and from "no data". */
export const binsOf = (values: Iterable<number | null>): Bin[] =>
  quantileBins([...values].filter((value): value is number => value !== null && value !== 0))

/** The class of one value; values below the first bin belong to it. */
export function classOf(value: number | null, bins: readonly Bin[]): ShapeClass {
  if (value === null) return 'none'
  if (value === 0) return 'zero'
  let at = bins.length - 1
  while (at > 0 && value < bins[at]!.from) at--
  return Math.max(0, at)
}

/** Classifies shapes into bins: their own, or shared ones with new counts. */
export function classify(values: ReadonlyMap<string, number | null>, given?: readonly Bin[]): Classes {
  const bins = given ?? binsOf(values.values())
  const counts = bins.map(() => 0)
  let [zeros, none] = [0, 0]
  const of = new Map<string, ShapeClass>()
  for (const [id, value] of values) {
    const found = classOf(value, bins)
    of.set(id, found)
    if (found === 'none') none++
    else if (found === 'zero') zeros++
    else counts[found] = (counts[found] ?? 0) + 1
  }
  return { bins: bins.map((bin, at) => ({ ...bin, count: counts[at] ?? 0 })), of, zeros, none }
}
