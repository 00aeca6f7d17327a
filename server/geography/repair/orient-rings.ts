import type { Position } from 'geojson'
import { ringArea } from './ring-area.ts'

/** Outer rings counter-clockwise, holes clockwise (RFC 7946, 3.1.6). Rings that run right already come back as the same arrays. */
export function orientRings(polygons: Position[][][]): Position[][][] {
  let turned = false
  const oriented = polygons.map((rings) =>
    rings.map((ring, index) => {
      const area = ringArea(ring)
      if (area === 0 || area > 0 === (index === 0)) return ring
      turned = true
      return ring.toReversed()
    }),
  )
  return turned ? oriented : polygons
}
