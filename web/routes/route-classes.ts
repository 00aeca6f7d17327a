import { type Bin, findBinIndex, quantileBins } from '#contract/bins.ts'
import type { RouteClasses } from '#web/map/layers/route-volumes-layer.ts'

interface Counted {
  id: string
  trips: number
  forward: number
  backward: number
}

/**
 * Bins of the displayed volumes, and the bins of each segment and each of its directions. A direction may
 * have fewer trips than the lowest bin begins with; it then belongs to the lowest bin.
 */
export function routeClasses(rows: readonly Counted[]): { bins: Bin[]; classes: Map<string, RouteClasses> } {
  const bins = quantileBins(rows.map(({ trips }) => trips))
  const getClass = (trips: number): number => (trips > 0 ? Math.max(0, findBinIndex(trips, bins)) : -1)
  return {
    bins,
    classes: new Map(
      rows.map(({ id, trips, forward, backward }) => [
        id,
        { bin: getClass(trips), forward: getClass(forward), backward: getClass(backward) },
      ]),
    ),
  }
}
