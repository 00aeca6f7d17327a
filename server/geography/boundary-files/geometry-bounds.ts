import type { BoundaryGeometry } from './boundary-geometry.ts'

type Nested = readonly (number | Nested)[]

type Bounds = [number, number, number, number]

function extendBounds(box: Bounds, value: Nested): void {
  const [x, y] = value
  if (typeof x === 'number' && typeof y === 'number') {
    if (x < box[0]) box[0] = x
    if (y < box[1]) box[1] = y
    if (x > box[2]) box[2] = x
    if (y > box[3]) box[3] = y
  } else {
    for (const part of value) if (typeof part !== 'number') extendBounds(box, part)
  }
}

/** Returns the bounding box of all geometries: west, south, east, north in degrees. */
export function computeBounds(geometries: readonly BoundaryGeometry[]): Bounds {
  const box: Bounds = [Infinity, Infinity, -Infinity, -Infinity]
  for (const geometry of geometries) extendBounds(box, geometry.coordinates)
  return box
}
