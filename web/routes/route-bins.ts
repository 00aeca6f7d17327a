import { type Bin, findBinIndex, computeQuantileBins } from '#contract/bins.ts'
import type { RouteBins } from '#web/map/layers/route-volumes-layer.ts'

interface SegmentTrips {
  id: string
  trips: number
  forward: number
  backward: number
}

/**
 * Returns bins of the displayed volumes, and those of each segment and each of its directions. A direction may
 * have fewer trips than the lowest bin begins with; it then belongs to the lowest bin.
 */
export function computeRouteBins(rows: readonly SegmentTrips[]): {
  bins: Bin[]
  binById: Map<string, RouteBins>
} {
  const bins = computeQuantileBins(rows.map(({ trips }) => trips))
  const getBin = (trips: number): number => (trips > 0 ? Math.max(0, findBinIndex(trips, bins)) : -1)
  return {
    bins,
    binById: new Map(
      rows.map(({ id, trips, forward, backward }) => [
        id,
        { bin: getBin(trips), forward: getBin(forward), backward: getBin(backward) },
      ]),
    ),
  }
}
