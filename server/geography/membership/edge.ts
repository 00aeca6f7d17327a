import type { Position } from '#contract/place.ts'

/** One shape of a layer by its number (1 and up) with all rings of all its polygons. */
export interface NumberedShape {
  number: number
  rings: Position[][]
}

/** A border segment from left (ax, ay) to right (bx, by), with the shapes whose inside ends at it. */
export interface Edge {
  ax: number
  ay: number
  bx: number
  by: number
  slope: number
  shapes: number[]
}

/**
 * All edges of a layer. A segment that neighbours share is one edge with both: computed once, so that a point near it is in
 * exactly one of them. A segment that a shape walks twice is no border of it.
 */
export function edgesOf(shapes: readonly NumberedShape[]): Edge[] {
  const found = new Map<string, Edge>()
  for (const { number, rings } of shapes)
    for (const ring of rings)
      for (let i = 0; i + 1 < ring.length; i++) {
        let [ax, ay] = ring[i] as Position
        let [bx, by] = ring[i + 1] as Position
        if (ax === bx && ay === by) continue
        if (ax > bx || (ax === bx && ay > by)) [ax, ay, bx, by] = [bx, by, ax, ay]
        const key = `${ax} ${ay} ${bx} ${by}`
        const edge = found.get(key)
        if (!edge) found.set(key, { ax, ay, bx, by, slope: (by - ay) / (bx - ax), shapes: [number] })
        else if (edge.shapes.includes(number)) edge.shapes = edge.shapes.filter((each) => each !== number)
        else edge.shapes.push(number)
      }
  return [...found.values()].filter(({ shapes }) => shapes.length)
}

/** Where the edge crosses the level y (half-open), or infinity. */
export function crossingAt(edge: Edge, y: number): number {
  const { ax, ay, bx, by } = edge
  if (ay <= y === by <= y) return Infinity
  return ay <= by ? ax + ((y - ay) * (bx - ax)) / (by - ay) : bx + ((y - by) * (ax - bx)) / (ay - by)
}

/**
 * Whether the way from a reference point (rx, ry), first level to px, then upright to py, crosses the edge an odd number of
 * times. `hx` is the edge's crossing at ry. The SQL in face-sql.ts computes the same.
 */
export function toggles(edge: Edge, hx: number, rx: number, ry: number, px: number, py: number): boolean {
  const level = hx <= px !== hx <= rx
  if (!(edge.ax <= px && px < edge.bx)) return level
  const y = edge.ay + (px - edge.ax) * edge.slope
  return level !== (y <= py !== y <= ry)
}
