/** Positions as in WKT: `positions('0 0, 1 0, 1 1')`. */
export const positions = (text: string): [number, number][] =>
  text.split(', ').map((pair) => pair.split(' ').map(Number) as [number, number])
