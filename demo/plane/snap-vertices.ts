import type { Mesh } from './mesh.ts'
import { segmentGrid, squareOf } from './segment-grid.ts'
import { splitEdges, type Cut } from './split-edges.ts'

/**
 * Leads every edge that passes closer than `near` metres (at most 8) by a foreign vertex through that vertex; returns how many.
 * The vertex gives way to an edge of better rank, so that main roads keep their curve.
 */
export function snapVertices(mesh: Mesh, near: number, rankOfLine: (line: number) => number): number {
  const used = new Map<number, number>()
  for (let e = 0; e < mesh.from.length; e++) {
    const rank = rankOfLine(mesh.line[e]!)
    for (const v of [mesh.from[e]!, mesh.to[e]!]) used.set(v, Math.min(rank, used.get(v) ?? Infinity))
  }
  const grid = segmentGrid(mesh)
  const cuts = new Map<number, Cut[]>()
  let snaps = 0
  for (const [v, rank] of used) {
    for (const e of grid.get(squareOf(mesh.x[v]!, mesh.y[v]!)) ?? []) {
      const at = passes(mesh, e, v, near)
      if (at === undefined) continue
      snaps++
      if (rankOfLine(mesh.line[e]!) < rank) moveOnto(mesh, e, v, at)
      const list = cuts.get(e)
      if (list) list.push({ at, vertex: v })
      else cuts.set(e, [{ at, vertex: v }])
    }
  }
  splitEdges(mesh, cuts)
  return snaps
}

function passes(mesh: Mesh, edge: number, v: number, near: number): number | undefined {
  const [a, b] = [mesh.from[edge]!, mesh.to[edge]!]
  if (a === v || b === v) return undefined
  const [dx, dy] = [mesh.x[b]! - mesh.x[a]!, mesh.y[b]! - mesh.y[a]!]
  const [px, py] = [mesh.x[v]! - mesh.x[a]!, mesh.y[v]! - mesh.y[a]!]
  const length = dx * dx + dy * dy
  const at = (px * dx + py * dy) / length
  if (at <= 0 || at >= 1) return undefined
  return Math.abs(px * dy - py * dx) < near * Math.sqrt(length) ? at : undefined
}

function moveOnto(mesh: Mesh, edge: number, v: number, at: number): void {
  const [a, b] = [mesh.from[edge]!, mesh.to[edge]!]
  mesh.x[v] = mesh.x[a]! + (mesh.x[b]! - mesh.x[a]!) * at
  mesh.y[v] = mesh.y[a]! + (mesh.y[b]! - mesh.y[a]!) * at
}
