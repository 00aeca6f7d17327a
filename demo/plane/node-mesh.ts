import { mergeVertices } from './merge-vertices.ts'
import type { Mesh } from './mesh.ts'

const side = 150
const columns = 4096

/** The edges of a mesh by the square (150 m) they may touch; keys come from `squareOf`. */
export function segmentGrid(mesh: Mesh): Map<number, number[]> {
  const grid = new Map<number, number[]>()
  for (let e = 0; e < mesh.from.length; e++) {
    const [a, b] = [mesh.from[e]!, mesh.to[e]!]
    const [ax, ay, bx, by] = [mesh.x[a]!, mesh.y[a]!, mesh.x[b]!, mesh.y[b]!]
    const west = Math.floor((Math.min(ax, bx) - 8) / side)
    const east = Math.floor((Math.max(ax, bx) + 8) / side)
    const south = Math.floor((Math.min(ay, by) - 8) / side)
    const north = Math.floor((Math.max(ay, by) + 8) / side)
    // A long slanted edge has a wide box: skip the squares the edge does not come near.
    const slanted = east - west > 3 && north - south > 3
    for (let i = west; i <= east; i++) {
      for (let j = south; j <= north; j++) {
        if (slanted && far(ax, ay, bx, by, (i + 0.5) * side, (j + 0.5) * side)) continue
        const key = (j + columns / 2) * columns + i + columns / 2
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
  return (Math.floor(y / side) + columns / 2) * columns + Math.floor(x / side) + columns / 2
}

function far(ax: number, ay: number, bx: number, by: number, x: number, y: number): boolean {
  const length = Math.hypot(bx - ax, by - ay)
  return Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length > side
}

/** A vertex at which an edge is to be cut; `at` is the share of its length, from 0 to 1. */
export interface Cut {
  at: number
  vertex: number
}

/** Replaces each edge that has cuts by the row of edges through them. */
export function splitEdges(mesh: Mesh, cuts: ReadonlyMap<number, Cut[]>): void {
  for (const [edge, list] of cuts) {
    list.sort((p, q) => p.at - q.at)
    const end = mesh.to[edge]!
    let start = mesh.from[edge]!
    list.forEach(({ vertex }, i) => {
      if (i === 0) {
        mesh.to[edge] = vertex
      } else {
        mesh.from.push(start)
        mesh.to.push(vertex)
        mesh.line.push(mesh.line[edge]!)
      }
      start = vertex
    })
    mesh.from.push(start)
    mesh.to.push(end)
    mesh.line.push(mesh.line[edge]!)
  }
}

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

/** Cuts all edges where they cross and tidies what lies closer than `near` metres, until edges meet at vertices only. */
export function nodeMesh(mesh: Mesh, near: number, rankOfLine: (line: number) => number): void {
  for (let round = 0; round < 8; round++) {
    const crossings = crossEdges(mesh)
    mergeVertices(mesh, near, rankOfLine)
    const snaps = snapVertices(mesh, near / 2, rankOfLine)
    // Snapping may lead an edge over one that already runs there.
    if (snaps > 0) mergeVertices(mesh, near / 4, rankOfLine)
    if (crossings === 0 && snaps === 0) return
  }
}
