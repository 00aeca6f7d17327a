import type { Position } from 'geojson'

/** The edges of lines as x1, y1, x2, y2 each. */
export function edgesOf(lines: readonly (readonly Position[])[]): Float64Array {
  const edges = new Float64Array(4 * lines.reduce((sum, line) => sum + Math.max(0, line.length - 1), 0))
  let at = 0
  for (const line of lines) {
    for (let index = 0; index + 1 < line.length; index += 1) {
      edges[at] = line[index]?.[0] ?? 0
      edges[at + 1] = line[index]?.[1] ?? 0
      edges[at + 2] = line[index + 1]?.[0] ?? 0
      edges[at + 3] = line[index + 1]?.[1] ?? 0
      at += 4
    }
  }
  return edges
}
