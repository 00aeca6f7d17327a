import type { Position } from 'geojson'

/** How many are tried before a face is given up as thinner than numbers can tell. */
const TRIES = 6

/**
 * Points well inside a polygon, the safest first: on level lines through the middle of the broadest bands between its
 * vertices, in the middle of the longest stretch inside. A line between two vertices a rounding error apart would hit either side.
 */
export function pointsInside(rings: readonly Position[][]): Position[] {
  const levels = [...new Set(rings.flatMap((ring) => ring.map(([, y = 0]) => y)))].sort((a, b) => a - b)
  const bands = levels.slice(1).map((high, index) => ({ low: levels[index] ?? high, high }))
  bands.sort((a, b) => b.high - b.low - (a.high - a.low))
  return bands
    .slice(0, TRIES)
    .flatMap(({ low, high }) => {
      const y = low + (high - low) / 2
      const widest = longestStretch(rings, y)
      return widest === null
        ? []
        : [
            {
              point: [widest.from + (widest.to - widest.from) / 2, y],
              room: Math.min(high - low, widest.to - widest.from),
            },
          ]
    })
    .sort((a, b) => b.room - a.room)
    .map(({ point }) => point)
}

function longestStretch(rings: readonly Position[][], y: number): { from: number; to: number } | null {
  const crossings: number[] = []
  for (const ring of rings) {
    for (let index = 0; index + 1 < ring.length; index += 1) {
      const [ax = 0, ay = 0] = ring[index] ?? []
      const [bx = 0, by = 0] = ring[index + 1] ?? []
      if (ay > y !== by > y) crossings.push(ax + ((bx - ax) * (y - ay)) / (by - ay))
    }
  }
  crossings.sort((a, b) => a - b)
  let widest: { from: number; to: number } | null = null
  for (let index = 0; index + 1 < crossings.length; index += 2) {
    const [from = 0, to = 0] = [crossings[index], crossings[index + 1]]
    if (widest === null || to - from > widest.to - widest.from) widest = { from, to }
  }
  return widest
}
