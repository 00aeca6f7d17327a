import type { Box, Position } from '#contract/place.ts'

/** One shape of a layer by its number (1 and up) with all rings of all its polygons. */
export interface NumberedShape {
  number: number
  rings: Position[][]
}

/** A border segment from left (ax, ay) to right (bx, by), with the shapes that have it as a border. */
export interface Edge {
  ax: number
  ay: number
  bx: number
  by: number
  slope: number
  shapes: number[]
}

/** Where the edge crosses the level y (half-open), or infinity. */
export function crossingAt(edge: Edge, y: number): number {
  const { ax, ay, bx, by } = edge
  if (ay <= y === by <= y) return Infinity
  return ay <= by ? ax + ((y - ay) * (bx - ax)) / (by - ay) : bx + ((y - by) * (ax - bx)) / (ay - by)
}

/**
 * Whether the path from a reference point (rx, ry), first horizontal to px, then vertical to py, crosses the edge an odd
 * number of times. `hx` is the edge's crossing at ry. The SQL in face-sql.ts computes the same.
 */
export function toggles(edge: Edge, hx: number, rx: number, ry: number, px: number, py: number): boolean {
  const level = hx <= px !== hx <= rx
  if (!(edge.ax <= px && px < edge.bx)) return level
  const y = edge.ay + (px - edge.ax) * edge.slope
  return level !== (y <= py !== y <= ry)
}

/** The box around edges, each from its left end to its right one. */
export function boundEdges(edges: readonly Edge[]): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { ax, ay, bx, by } of edges) {
    box[0] = Math.min(box[0], ax)
    box[1] = Math.min(box[1], ay, by)
    box[2] = Math.max(box[2], bx)
    box[3] = Math.max(box[3], ay, by)
  }
  return box
}
