/** Positions as in WKT: `positions('0 0, 1 0, 1 1')`. */
export const positions = (text: string): [number, number][] =>
  text.split(', ').map((pair) => pair.split(' ').map(Number) as [number, number])

/** Returns a square from its southwest corner, counterclockwise. */
export const makeSquare = (x: number, y: number, size: number): [number, number][] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
]
