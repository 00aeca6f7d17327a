import type { Box, Geometry } from '#contract/place.ts'
import { boundingBox } from './bounding-box.ts'

/** Returns the box around all boxes; null for an empty list. */
export function boxAround(boxes: readonly Box[]): Box | null {
  const [first, ...others] = boxes
  if (!first) return null
  const around: Box = [...first]
  for (const [west, south, east, north] of others) {
    around[0] = Math.min(around[0], west)
    around[1] = Math.min(around[1], south)
    around[2] = Math.max(around[2], east)
    around[3] = Math.max(around[3], north)
  }
  return around
}

/** Returns the box around all geometries; null if there are none, or none has a position. */
export const boxAroundGeometries = (geometries: readonly Geometry[]): Box | null =>
  boxAround(geometries.map(boundingBox).filter((box) => box !== null))
