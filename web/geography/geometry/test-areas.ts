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
export function star(center: Position, radii: readonly number[]): Area {
  const corners = radii.map((radius, index): Position => {
    const angle = (2 * Math.PI * index) / radii.length
    return [center[0] + radius * Math.cos(angle), center[1] + radius * Math.sin(angle)]
  })
  return { type: 'Polygon', coordinates: [[...corners, corners[0]!]] }
}

/** Area on the plane, in square degrees. */
export const flatSize = (area: Area): number => {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates
  const ringArea = (places: readonly Position[]): number =>
    Math.abs(
      places
        .slice(1)
        .reduce((sum, [x, y], index) => sum + (places[index]![0] * y - x * places[index]![1]) / 2, 0),
    )
  return polygons.reduce(
    (sum, rings) =>
      sum + rings.reduce((net, ring, index) => net + (index === 0 ? 1 : -1) * ringArea(ring), 0),
    0,
  )
}
