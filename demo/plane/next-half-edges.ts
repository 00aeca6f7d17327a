import { edgesAt } from './edges-at.ts'
import type { Mesh } from './mesh.ts'

/** For each half-edge the one that follows it around the face on its left. */
export function nextHalfEdges(mesh: Mesh): Int32Array {
  const angle = new Float64Array(mesh.from.length * 2)
  for (let e = 0; e < mesh.from.length; e++) {
    const [a, b] = [mesh.from[e]!, mesh.to[e]!]
    const [dx, dy] = [mesh.x[b]! - mesh.x[a]!, mesh.y[b]! - mesh.y[a]!]
    angle[2 * e] = Math.atan2(dy, dx)
    angle[2 * e + 1] = Math.atan2(-dy, -dx)
  }
  const { first, half } = edgesAt(mesh)
  const next = new Int32Array(angle.length)
  for (let v = 0; v < mesh.x.length; v++) {
    const [start, end] = [first[v]!, first[v + 1]!]
    for (let i = start + 1; i < end; i++) {
      const h = half[i]!
      let j = i
      for (; j > start && angle[half[j - 1]!]! > angle[h]!; j--) half[j] = half[j - 1]!
      half[j] = h
    }
    // Whoever arrives turns as sharply left as it can: to the leaving half-edge just clockwise of its own way back.
    for (let i = start; i < end; i++) next[half[i]! ^ 1] = half[i === start ? end - 1 : i - 1]!
  }
  return next
}
