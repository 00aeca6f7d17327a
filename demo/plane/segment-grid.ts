import type { Mesh } from './mesh.ts'

const SIDE = 150
const COLUMNS = 4096

/** The edges of a mesh by the square (150 m) they may touch; keys come from `squareOf`. */
export function segmentGrid(mesh: Mesh): Map<number, number[]> {
  const grid = new Map<number, number[]>()
  for (let e = 0; e < mesh.from.length; e++) {
    const [a, b] = [mesh.from[e]!, mesh.to[e]!]
    const [ax, ay, bx, by] = [mesh.x[a]!, mesh.y[a]!, mesh.x[b]!, mesh.y[b]!]
    const west = Math.floor((Math.min(ax, bx) - 8) / SIDE)
    const east = Math.floor((Math.max(ax, bx) + 8) / SIDE)
    const south = Math.floor((Math.min(ay, by) - 8) / SIDE)
    const north = Math.floor((Math.max(ay, by) + 8) / SIDE)
    // A long slanted edge has a wide box: skip the squares the edge does not come near.
    const slanted = east - west > 3 && north - south > 3
    for (let i = west; i <= east; i++) {
      for (let j = south; j <= north; j++) {
        if (slanted && far(ax, ay, bx, by, (i + 0.5) * SIDE, (j + 0.5) * SIDE)) continue
        const key = (j + COLUMNS / 2) * COLUMNS + i + COLUMNS / 2
        const square = grid.get(key)
        if (square) square.push(e)
        else grid.set(key, [e])
      }
    }
  }
  return grid
}

/** The key of the square in which a place lies. */
export function squareOf(x: number, y: number): number {
  return (Math.floor(y / SIDE) + COLUMNS / 2) * COLUMNS + Math.floor(x / SIDE) + COLUMNS / 2
}

function far(ax: number, ay: number, bx: number, by: number, x: number, y: number): boolean {
  const length = Math.hypot(bx - ax, by - ay)
  return Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length > SIDE
}
