import { type Bin, findBinIndex, quantileBins } from '#contract/bins.ts'
import type { RouteClasses } from '#web/map/layers/route-volumes-layer.ts'

interface Counted {
  id: string
  trips: number
  forward: number
  backward: number
}

/** Bins of the shown volumes, and which of them each segment and each of its directions falls into. One direction may have fewer trips than the least bin begins with: it is in that bin. */
export function routeClasses(rows: readonly Counted[]): { bins: Bin[]; classes: Map<string, RouteClasses> } {
  const bins = quantileBins(rows.map(({ trips }) => trips))
  const classOf = (trips: number): number => (trips > 0 ? Math.max(0, findBinIndex(trips, bins)) : -1)
  return {
    bins,
    classes: new Map(
      rows.map(({ id, trips, forward, backward }) => [
        id,
        { bin: classOf(trips), forward: classOf(forward), backward: classOf(backward) },
      ]),
    ),
  }
}
