import type { Position } from '#contract/place.ts'
import type { Edge, NumberedShape } from './edge.ts'
import { EdgeTable } from './edge-table.ts'

/**
 * All edges of a layer. A segment that neighbours share is one edge with both: computed once, so that a point near it is in
 * exactly one of them. A segment that a shape walks twice is no border of it.
 */
export function edgesOf(shapes: readonly NumberedShape[]): Edge[] {
  const found = new EdgeTable()
  for (const { number, rings } of shapes)
    for (const ring of rings)
      for (let i = 0; i + 1 < ring.length; i++) {
        const [ax, ay] = ring[i] as Position
        const [bx, by] = ring[i + 1] as Position
        if (ax === bx && ay === by) continue
        const edge =
          ax > bx || (ax === bx && ay > by) ? found.between(bx, by, ax, ay) : found.between(ax, ay, bx, by)
        const at = edge.shapes.indexOf(number)
        if (at < 0) edge.shapes.push(number)
        else edge.shapes.splice(at, 1)
      }
  return found.edges.filter(({ shapes }) => shapes.length)
}
