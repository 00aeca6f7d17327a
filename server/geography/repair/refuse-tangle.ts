import type { Position } from 'geojson'
import { edgePairs } from './edge-pairs.ts'
import { edgesOf } from './edges-of.ts'

/** Below this many positions even the worst tangle is tested in well under a second. */
const SMALL = 2000

/** The validity test has no limit of its own, and edges that lie on one another in thousands would keep it for hours. @throws TangledError */
export function refuseTangle(polygons: readonly Position[][][]): void {
  const edges = edgesOf(polygons.flat())
  if (edges.length / 4 > SMALL) edgePairs(edges, () => {})
}
