import type { MarkKind, StripMark } from './strip-marks.ts'
import { placeOn, type StripScale } from './strip-scale.ts'

/** The marks at one position of the axis. */
export interface StripBin {
  /** Index of the bin. */
  at: number
  counts: Record<MarkKind, number>
}

/** Groups marks into the bins of the axis; empty bins are omitted. */
export function stripBins(marks: readonly StripMark[], scale: StripScale, binCount: number): StripBin[] {
  const bins = new Map<number, StripBin>()
  for (const { value, kind } of marks) {
    const at = Math.min(binCount - 1, Math.floor(placeOn(scale, value) * binCount))
    const bin = bins.get(at) ?? { at, counts: { outside: 0, inside: 0, other: 0 } }
    bin.counts[kind] += 1
    bins.set(at, bin)
  }
  return [...bins.values()].toSorted((a, b) => a.at - b.at)
}

/** The largest number of marks in a bin. */
export const tallest = (bins: readonly StripBin[]): number =>
  bins.reduce((most, { counts }) => Math.max(most, counts.outside + counts.inside + counts.other), 0)
