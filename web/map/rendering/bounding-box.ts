import type { Box, Geometry, Position } from '#contract/place.ts'

/** Bounding box of a geometry; null if it has no positions. */
export function boundingBox(geometry: Geometry): Box | null {
  const box: Box = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  expandBox(box, geometry.coordinates)
  return Number.isFinite(box[0]) ? box : null
}

type Nested = Position | readonly Nested[]

function expandBox(box: Box, nested: Nested): void {
  const [lon, lat] = nested
  if (typeof lon === 'number' && typeof lat === 'number') {
    box[0] = Math.min(box[0], lon)
    box[1] = Math.min(box[1], lat)
    box[2] = Math.max(box[2], lon)
    box[3] = Math.max(box[3], lat)
  } else for (const part of nested as readonly Nested[]) expandBox(box, part)
}
