import { extent } from './tile-shape.ts'

/** How far beyond its border a tile is drawn, in its units. */
const margin = 64

/** West, north, east, south in the world square. */
export type WorldBox = readonly [number, number, number, number]

/** The part of the world that a tile draws. */
export function boxOfTile(z: number, x: number, y: number): WorldBox {
  const [side, over] = [2 ** z, margin / extent]
  return [(x - over) / side, (y - over) / side, (x + 1 + over) / side, (y + 1 + over) / side]
}

export const touches = (a: WorldBox, b: WorldBox): boolean =>
  a[0] < b[2] && a[2] >= b[0] && a[1] < b[3] && a[3] >= b[1]
