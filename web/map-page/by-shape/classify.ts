import { computeQuantileBins, type Bin } from '#contract/bins.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'

/** The bins of values, and the bin of each shape. */
export interface Classification {
  bins: readonly Bin[]
  byShape: ReadonlyMap<string, ShapeBin>
  /** Number of shapes with the value zero. */
  zeros: number
  /** Number of shapes without a value. */
  none: number
}

/** Returns quantile bins of values other than zero, which is separate from the lowest bin and from "no data". */
export const computeBins = (values: Iterable<number | null>): Bin[] =>
  computeQuantileBins([...values].filter((value): value is number => value !== null && value !== 0))

/** Returns the bin of one value; values below the first bin belong to it. */
export function getShapeBin(value: number | null, bins: readonly Bin[]): ShapeBin {
  if (value === null) return 'none'
  if (value === 0) return 'zero'
  let index = bins.length - 1
  while (index > 0 && value < bins[index]!.from) index--
  return Math.max(0, index)
}

/** Classifies shapes into bins: their own, or shared ones with new counts. */
export function classify(
  values: ReadonlyMap<string, number | null>,
  sharedBins?: readonly Bin[],
): Classification {
  const bins = sharedBins ?? computeBins(values.values())
  const counts = bins.map(() => 0)
  let zeros = 0
  let none = 0
  const byShape = new Map<string, ShapeBin>()
  for (const [id, value] of values) {
    const shapeBin = getShapeBin(value, bins)
    byShape.set(id, shapeBin)
    if (shapeBin === 'none') none++
    else if (shapeBin === 'zero') zeros++
    else counts[shapeBin] = (counts[shapeBin] ?? 0) + 1
  }
  return { bins: bins.map((bin, index) => ({ ...bin, count: counts[index] ?? 0 })), byShape, zeros, none }
}
