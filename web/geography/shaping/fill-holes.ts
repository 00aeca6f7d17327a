import { polygonsOf, type Area } from '#contract/place.ts'

/** An area without its holes; all of them, or one, named by its polygon and its ring. */
export function fillHoles(area: Area, one?: { polygon: number; ring: number }): Area {
  const polygons = polygonsOf(area).map((rings, polygon) =>
    rings.filter(
      (_, ring) => ring === 0 || (one !== undefined && (one.polygon !== polygon || one.ring !== ring)),
    ),
  )
  return area.type === 'Polygon'
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons }
}

export const holesIn = (area: Area): number =>
  polygonsOf(area).reduce((sum, rings) => sum + rings.length - 1, 0)
