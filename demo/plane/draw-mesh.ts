import type { Mesh } from './mesh.ts'
import type { Point } from './point.ts'

/** A mesh with every segment of every line, not yet cut where lines cross. Edges carry the place of their line in the list. */
export function drawMesh(lines: readonly (readonly Point[])[]): Mesh {
  const mesh: Mesh = { x: [], y: [], from: [], to: [], line: [] }
  lines.forEach((points, line) => {
    const first = mesh.x.length
    const last = points.length - 1
    const closed = last > 1 && points[0]![0] === points[last]![0] && points[0]![1] === points[last]![1]
    const vertices = closed ? last : last + 1
    for (let i = 0; i < vertices; i++) {
      mesh.x.push(points[i]![0])
      mesh.y.push(points[i]![1])
    }
    for (let i = 0; i < last; i++) {
      mesh.from.push(first + i)
      mesh.to.push(first + ((i + 1) % vertices))
      mesh.line.push(line)
    }
  })
  return mesh
}
