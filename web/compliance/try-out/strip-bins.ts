import type { MarkKind, StripMark } from './strip-marks.ts'
import { placeOn, type StripScale } from './strip-scale.ts'

/** Marks that stand over the same place of the axis. */
export interface StripBin {
  /** Number of the piece of the axis. */
  at: number
  counts: Record<MarkKind, number>
}

/** Marks by pieces of the axis; empty pieces are left out. */
export function stripBins(marks: readonly StripMark[], scale: StripScale, pieces: number): StripBin[] {
  const bins = new Map<number, StripBin>()
  for (const { value, kind } of marks) {
    const at = Math.min(pieces - 1, Math.floor(placeOn(scale, value) * pieces))
    const bin = bins.get(at) ?? { at, counts: { outside: 0, inside: 0, other: 0 } }
    bin.counts[kind] += 1
    bins.set(at, bin)
  }
  return [...bins.values()].toSorted((a, b) => a.at - b.at)
}

/** The most marks over one place. */
export const tallest = (bins: readonly StripBin[]): number =>
  bins.reduce((most, { counts }) => Math.max(most, counts.outside + counts.inside + counts.other), 0)
