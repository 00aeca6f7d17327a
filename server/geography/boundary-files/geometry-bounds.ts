import type { BoundaryGeometry } from './boundary-geometry.ts'

type Nested = readonly (number | Nested)[]

/** The bounding box of all geometries: west, south, east, north in degrees. */
export function geometryBounds(geometries: readonly BoundaryGeometry[]): [number, number, number, number] {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  const visit = (value: Nested): void => {
    const [x, y] = value
    if (typeof x === 'number' && typeof y === 'number') {
      if (x < box[0]) box[0] = x
      if (y < box[1]) box[1] = y
      if (x > box[2]) box[2] = x
      if (y > box[3]) box[3] = y
    } else {
      for (const part of value) if (typeof part !== 'number') visit(part)
    }
  }
  for (const geometry of geometries) visit(geometry.coordinates)
  return box
}
