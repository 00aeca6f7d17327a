import type { Position } from 'geojson'
import { ringArea } from './ring-area.ts'

/** Area of polygons in m²: outer rings less their holes, part by part, whichever way they run. */
export function areaOf(polygons: readonly Position[][][]): number {
  let area = 0
  for (const rings of polygons) {
    rings.forEach((ring, index) => {
      area += Math.abs(ringArea(ring)) * (index === 0 ? 1 : -1)
    })
  }
  return area
}
