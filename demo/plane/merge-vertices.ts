import type { Mesh } from './mesh.ts'

/**
 * Makes one vertex of those closer than `near` metres, at the place of the one whose line ranks best (lowest), and drops the
 * edges that thereby become points or doubles.
 */
export function mergeVertices(mesh: Mesh, near: number, rankOfLine: (line: number) => number): void {
  const rank = vertexRanks(mesh, rankOfLine)
  const order = [...mesh.x.keys()].filter((v) => rank[v]! < Infinity)
  order.sort((a, b) => rank[a]! - rank[b]! || a - b)
  // Greedy by rank, not chains of neighbours: a row of close vertices must not collapse into one.
  const squares = new Map<number, number[]>()
  const target = mesh.x.map((_, v) => v)
  for (const v of order) {
    const into = nearestKept(mesh, squares, v, near)
    if (into >= 0) {
      target[v] = into
      continue
    }
    const key = squareKey(mesh.x[v]!, mesh.y[v]!, near)
    const square = squares.get(key)
    if (square) square.push(v)
    else squares.set(key, [v])
  }
  dropDoubles(mesh, target, rankOfLine)
}

function vertexRanks(mesh: Mesh, rankOfLine: (line: number) => number): number[] {
  const rank = mesh.x.map(() => Infinity)
  for (let e = 0; e < mesh.from.length; e++) {
    const r = rankOfLine(mesh.line[e]!)
    for (const v of [mesh.from[e]!, mesh.to[e]!]) if (r < rank[v]!) rank[v] = r
  }
  return rank
}

function nearestKept(mesh: Mesh, squares: ReadonlyMap<number, number[]>, v: number, near: number): number {
  let best = -1
  let bestDistance = near
  for (let i = -1; i <= 1; i++) {
    for (let j = -1; j <= 1; j++) {
      for (const w of squares.get(squareKey(mesh.x[v]! + i * near, mesh.y[v]! + j * near, near)) ?? []) {
        const distance = Math.hypot(mesh.x[v]! - mesh.x[w]!, mesh.y[v]! - mesh.y[w]!)
        if (distance < bestDistance) [best, bestDistance] = [w, distance]
      }
    }
  }
  return best
}

function squareKey(x: number, y: number, side: number): number {
  return Math.floor(y / side) * 65536 + Math.floor(x / side)
}

function dropDoubles(mesh: Mesh, target: readonly number[], rankOfLine: (line: number) => number): void {
  const kept = new Map<number, number>()
  let count = 0
  for (let e = 0; e < mesh.from.length; e++) {
    const [a, b, line] = [target[mesh.from[e]!]!, target[mesh.to[e]!]!, mesh.line[e]!]
    if (a === b) continue
    const key = Math.min(a, b) * mesh.x.length + Math.max(a, b)
    const double = kept.get(key)
    if (double !== undefined) {
      if (rankOfLine(line) < rankOfLine(mesh.line[double]!)) mesh.line[double] = line
      continue
    }
    kept.set(key, count)
    mesh.from[count] = a
    mesh.to[count] = b
    mesh.line[count] = line
    count++
  }
  mesh.from.length = mesh.to.length = mesh.line.length = count
}
