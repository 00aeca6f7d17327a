import type { Area, Position } from '#contract/place.ts'

/** For tests: a closed square with its south-west corner at (x, y). */
export const ring = (x: number, y: number, side: number): Position[] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
]
export const square = (x: number, y: number, side: number): Area => ({
  type: 'Polygon',
  coordinates: [ring(x, y, side)],
})

/** A star-shaped outline around a center, one corner per radius; it never crosses itself. */
export function star(middle: Position, reaches: readonly number[]): Area {
  const corners = reaches.map((reach, at): Position => {
    const angle = (2 * Math.PI * at) / reaches.length
    return [middle[0] + reach * Math.cos(angle), middle[1] + reach * Math.sin(angle)]
  })
  return { type: 'Polygon', coordinates: [[...corners, corners[0]!]] }
}

/** Area on the plane, in square degrees. */
export const flatSize = (area: Area): number => {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates
  const inRing = (places: readonly Position[]): number =>
    Math.abs(
      places.slice(1).reduce((sum, [x, y], at) => sum + (places[at]![0] * y - x * places[at]![1]) / 2, 0),
    )
  return polygons.reduce(
    (sum, rings) => sum + rings.reduce((left, each, at) => left + (at === 0 ? 1 : -1) * inRing(each), 0),
    0,
  )
}
