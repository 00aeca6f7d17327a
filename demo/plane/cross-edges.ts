import type { Mesh } from './mesh.ts'
import { segmentGrid, squareOf } from './segment-grid.ts'
import { splitEdges, type Cut } from './split-edges.ts'

/** Cuts every two edges that cross at a new vertex common to both; returns how many crossings there were. */
export function crossEdges(mesh: Mesh): number {
  const cuts = new Map<number, Cut[]>()
  let crossings = 0
  for (const [key, edges] of segmentGrid(mesh)) {
    for (let i = 0; i < edges.length; i++) {
      for (let j = i + 1; j < edges.length; j++) {
        if (crossPair(mesh, edges[i]!, edges[j]!, key, cuts)) crossings++
      }
    }
  }
  splitEdges(mesh, cuts)
  return crossings
}

function crossPair(mesh: Mesh, e: number, f: number, key: number, cuts: Map<number, Cut[]>): boolean {
  const [a, b, c, d] = [mesh.from[e]!, mesh.to[e]!, mesh.from[f]!, mesh.to[f]!]
  if (a === c || a === d || b === c || b === d) return false
  const [ax, ay] = [mesh.x[a]!, mesh.y[a]!]
  const [cx, cy] = [mesh.x[c]!, mesh.y[c]!]
  const [rx, ry] = [mesh.x[b]! - ax, mesh.y[b]! - ay]
  const [sx, sy] = [mesh.x[d]! - cx, mesh.y[d]! - cy]
  const cross = rx * sy - ry * sx
  if (cross === 0) return false
  const t = ((cx - ax) * sy - (cy - ay) * sx) / cross
  const u = ((cx - ax) * ry - (cy - ay) * rx) / cross
  if (!(t >= 0 && t <= 1 && u >= 0 && u <= 1)) return false
  const [x, y] = [ax + t * rx, ay + t * ry]
  // Two edges share several squares: the one with the crossing in it counts.
  if (squareOf(x, y) !== key) return false
  const vertex = mesh.x.length
  mesh.x.push(x)
  mesh.y.push(y)
  addCut(cuts, e, t, vertex)
  addCut(cuts, f, u, vertex)
  return true
}

function addCut(cuts: Map<number, Cut[]>, edge: number, at: number, vertex: number): void {
  const list = cuts.get(edge)
  if (list) list.push({ at, vertex })
  else cuts.set(edge, [{ at, vertex }])
}
