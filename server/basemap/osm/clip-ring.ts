import type { Box, Position } from '#contract/place.ts'

/** The part of a ring within a box, along whose edge it runs where it would leave it; null where none is left. */
export function clipRing(ring: readonly Position[], [west, south, east, north]: Box): Position[] | null {
  let points: Position[] = ring.slice(0, -1)
  const cut = (isIn: (at: Position) => boolean, meet: (from: Position, to: Position) => Position): void => {
    const kept: Position[] = []
    points.forEach((to, at) => {
      const from = points[(at + points.length - 1) % points.length]!
      if (isIn(from) !== isIn(to)) kept.push(meet(from, to))
      if (isIn(to)) kept.push(to)
    })
    points = kept
  }
  const atLon =
    (lon: number) =>
    ([ax, ay]: Position, [bx, by]: Position): Position => [lon, ay + ((lon - ax) / (bx - ax)) * (by - ay)]
  const atLat =
    (lat: number) =>
    ([ax, ay]: Position, [bx, by]: Position): Position => [ax + ((lat - ay) / (by - ay)) * (bx - ax), lat]
  cut(([x]) => x >= west, atLon(west))
  cut(([x]) => x <= east, atLon(east))
  cut(([, y]) => y >= south, atLat(south))
  cut(([, y]) => y <= north, atLat(north))
  const [first] = points
  return first && points.length >= 3 ? [...points, first] : null
}
