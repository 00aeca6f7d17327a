import { chainEdges, type Chain } from '../plane/chain-edges.ts'
import type { Mesh } from '../plane/mesh.ts'
import type { DrawnLine } from './drawn-line.ts'
import { isStreet } from './is-street.ts'
import type { StreetEdge, StreetGraph } from './street-graph.ts'

/** What lies on both sides of a mesh edge. */
export interface Sides {
  district: string | undefined
  isPark: boolean
}

/**
 * The largest part of the street net that hangs together, within so many metres of the middle of the city. Nobody rides on
 * a freeway, and local streets end at it.
 */
export function makeStreetGraph(
  mesh: Mesh,
  lines: readonly DrawnLine[],
  origin: { lon: number; lat: number },
  sidesOf: (edge: number) => Sides,
  reach: number,
): StreetGraph {
  const near = (v: number): boolean => Math.hypot(mesh.x[v]!, mesh.y[v]!) < reach
  const atFreeway = new Set<number>()
  for (let e = 0; e < mesh.from.length; e++) {
    if (lines[mesh.line[e]!]!.kind === 'freeway') atFreeway.add(mesh.from[e]!).add(mesh.to[e]!)
  }
  // Chains of all lines: a street is cut at the shore too, so that no stretch lies half on a bridge.
  const chains = connected(
    mesh,
    chainEdges(mesh).filter(({ line, vertices }) => {
      const [a, b] = [vertices[0]!, vertices.at(-1)!]
      if (!isRideable(lines[line]!) || !near(a) || !near(b)) return false
      return lines[line]!.kind !== 'local' || !(atFreeway.has(a) || atFreeway.has(b))
    }),
  )
  const node = new Map<number, number>()
  const nodeOf = (v: number): number => {
    const known = node.get(v)
    if (known !== undefined) return known
    node.set(v, node.size)
    return node.size - 1
  }
  const edges = chains.map((chain): StreetEdge => {
    const kind = lines[chain.line]!.kind
    return {
      from: nodeOf(chain.vertices[0]!),
      to: nodeOf(chain.vertices[chain.vertices.length - 1]!),
      length: chain.length,
      class: kind === 'arterial' || kind === 'local' ? kind : 'collector',
      ...sidesOf(chain.edges[chain.edges.length >> 1]!),
      path: Float64Array.from(chain.vertices.flatMap((v) => [mesh.x[v]!, mesh.y[v]!])),
    }
  })
  const vertices = [...node.keys()]
  return {
    lon0: origin.lon,
    lat0: origin.lat,
    nodeX: Float64Array.from(vertices, (v) => mesh.x[v]!),
    nodeY: Float64Array.from(vertices, (v) => mesh.y[v]!),
    edges,
  }
}

function isRideable(line: DrawnLine): boolean {
  return isStreet(line) && line.kind !== 'freeway'
}

function connected(mesh: Mesh, chains: readonly Chain[]): Chain[] {
  const parent = Int32Array.from(mesh.x.keys())
  const find = (v: number): number => {
    while (parent[v] !== v) {
      parent[v] = parent[parent[v]!]!
      v = parent[v]!
    }
    return v
  }
  const ends = chains.map(({ vertices }) => [vertices[0]!, vertices[vertices.length - 1]!] as const)
  for (const [a, b] of ends) parent[find(a)] = find(b)
  const size = new Map<number, number>()
  for (const [a] of ends) size.set(find(a), (size.get(find(a)) ?? 0) + 1)
  const [largest] = [...size].reduce((p, q) => (q[1] > p[1] ? q : p))
  return chains.filter((_, i) => find(ends[i]![0]) === largest)
}
