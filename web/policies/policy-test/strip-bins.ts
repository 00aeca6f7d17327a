import type { MarkKind, StripMark } from './strip-marks.ts'
import { placeOn, type StripScale } from './strip-scale.ts'

/** The marks at one position of the axis. */
export interface StripBin {
  index: number
  counts: Record<MarkKind, number>
}

/** Groups marks into the bins of the axis; empty bins are omitted. */
export function stripBins(marks: readonly StripMark[], scale: StripScale, binCount: number): StripBin[] {
  const bins = new Map<number, StripBin>()
  for (const { value, kind } of marks) {
    const index = Math.min(binCount - 1, Math.floor(placeOn(scale, value) * binCount))
    const bin = bins.get(index) ?? { index, counts: { outside: 0, inside: 0, other: 0 } }
    bin.counts[kind] += 1
    bins.set(index, bin)
  }
  return [...bins.values()].toSorted((a, b) => a.index - b.index)
}

/** Returns the largest number of marks in a bin. */
export const maxBinCount = (bins: readonly StripBin[]): number =>
  bins.reduce((max, { counts }) => Math.max(max, counts.outside + counts.inside + counts.other), 0)
