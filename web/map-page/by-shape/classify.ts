import { quantileBins, type Bin } from '#contract/bins.ts'
import type { ShapeClass } from '#web/map/layers/shape-values.ts'

export interface Classes {
  bins: readonly Bin[]
  byShape: ReadonlyMap<string, ShapeClass>
  /** Number of shapes with the value zero, and without a value. */
  zeros: number
  none: number
}

/** Quantile bins of values. Zero is a class of its own, separate from the lowest bin and from "no data". */
export const computeBins = (values: Iterable<number | null>): Bin[] =>
  quantileBins([...values].filter((value): value is number => value !== null && value !== 0))

/** The class of one value; values below the first bin belong to it. */
export function getShapeClass(value: number | null, bins: readonly Bin[]): ShapeClass {
  if (value === null) return 'none'
  if (value === 0) return 'zero'
  let index = bins.length - 1
  while (index > 0 && value < bins[index]!.from) index--
  return Math.max(0, index)
}

/** Classifies shapes into bins: their own, or shared ones with new counts. */
export function classify(values: ReadonlyMap<string, number | null>, sharedBins?: readonly Bin[]): Classes {
  const bins = sharedBins ?? computeBins(values.values())
  const counts = bins.map(() => 0)
  let [zeros, none] = [0, 0]
  const byShape = new Map<string, ShapeClass>()
  for (const [id, value] of values) {
    const shapeClass = getShapeClass(value, bins)
    byShape.set(id, shapeClass)
    if (shapeClass === 'none') none++
    else if (shapeClass === 'zero') zeros++
    else counts[shapeClass] = (counts[shapeClass] ?? 0) + 1
  }
  return { bins: bins.map((bin, index) => ({ ...bin, count: counts[index] ?? 0 })), byShape, zeros, none }
}
