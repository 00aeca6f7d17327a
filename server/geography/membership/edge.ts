import type { Box, Position } from '#contract/place.ts'

/** The rings of all polygons of a shape, with its number (from 1). */
export interface NumberedShape {
  number: number
  rings: Position[][]
}

/** A border segment from its left end (ax, ay) to its right end (bx, by), and the shapes that it borders. */
export interface Edge {
  ax: number
  ay: number
  bx: number
  by: number
  slope: number
  shapes: number[]
}

/** Finds where an edge (half-open at its ends) crosses a horizontal line; Infinity if it does not. */
export function findCrossing(edge: Edge, y: number): number {
  const { ax, ay, bx, by } = edge
  if (ay <= y === by <= y) return Infinity
  return ay <= by ? ax + ((y - ay) * (bx - ax)) / (by - ay) : bx + ((y - by) * (ax - bx)) / (ay - by)
}

export interface Point {
  x: number
  y: number
}

/**
 * Whether a path from a reference point to a point, first horizontal, then vertical, crosses the edge an odd
 * number of times. `crossingX` is the crossing of the edge at the y of the reference point. The SQL in
 * face-sql.ts computes the same.
 */
export function toggles(edge: Edge, crossingX: number, reference: Point, point: Point): boolean {
  const crossesHorizontalPart = crossingX <= point.x !== crossingX <= reference.x
  if (!(edge.ax <= point.x && point.x < edge.bx)) return crossesHorizontalPart
  const y = edge.ay + (point.x - edge.ax) * edge.slope
  return crossesHorizontalPart !== (y <= point.y !== y <= reference.y)
}

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
