import { hashNumbers } from '../hash-numbers.ts'
import type { WaterBody } from '../plan/water-plan.ts'
import { zones } from '../plan/zones.ts'
import { chainEdges } from '../plane/chain-edges.ts'
import { keepEdges, type Mesh } from '../plane/mesh.ts'
import { ringArea } from '../plane/point.ts'
import { traceFaces } from '../plane/trace-faces.ts'
import { waterOfFaces } from '../shapes/water-of-faces.ts'
import type { DrawnLine } from './drawn-line.ts'
import { isStreet } from './is-street.ts'

/** Shorter dead ends (metres) are but the ends of lines drawn a little too far. */
const stub = 70
/** Smaller blocks (square metres) are joined to a neighbour. */
const small = 3300

/** Takes away streets in the water, stubs, streets never built, and those between slivers of blocks. */
export function tidyStreets(
  seed: number,
  mesh: Mesh,
  lines: readonly DrawnLine[],
  water: readonly WaterBody[],
): void {
  const faces = traceFaces(mesh)
  const wet = waterOfFaces(mesh, faces, lines, water)
  const isWet = (half: number): boolean => faces.of[half]! >= 0 && wet[faces.of[half]!] !== undefined
  keepEdges(mesh, (e) => {
    const line = lines[mesh.line[e]!]!
    return !isStreet(line) || line.bridge || !(isWet(2 * e) && isWet(2 * e + 1))
  })
  closeGaps(seed, mesh, lines)
  dropStubs(mesh, lines)
  for (let round = 0; round < 3; round++) if (!joinSmallBlocks(mesh, lines)) break
  dropStubs(mesh, lines)
}

function closeGaps(seed: number, mesh: Mesh, lines: readonly DrawnLine[]): void {
  const closed = new Set<number>()
  const gaps = new Map(zones.map((zone) => [zone.district, zone.gaps]))
  for (const chain of chainEdges(mesh)) {
    const { kind, key } = lines[chain.line]!
    const share = kind === 'local' ? (gaps.get(key.replace(/ (true|false) .*/, '')) ?? 0) : 0
    const [v] = chain.vertices
    const drawn = hashNumbers(seed, Math.round(mesh.x[v!]!), Math.round(mesh.y[v!]!)) / 4294967296
    if (drawn < share) for (const e of chain.edges) closed.add(e)
  }
  keepEdges(mesh, (e) => !closed.has(e))
}

function dropStubs(mesh: Mesh, lines: readonly DrawnLine[]): void {
  for (let round = 0; round < 4; round++) {
    const degree = mesh.x.map(() => 0)
    for (let e = 0; e < mesh.from.length; e++) {
      degree[mesh.from[e]!]!++
      degree[mesh.to[e]!]!++
    }
    const stubs = new Set<number>()
    for (const chain of chainEdges(mesh)) {
      if (!isStreet(lines[chain.line]!)) continue
      const [a, b] = [chain.vertices[0]!, chain.vertices[chain.vertices.length - 1]!]
      const limit = lines[chain.line]!.kind === 'local' ? stub : stub * 3
      if (chain.length < limit && (degree[a] === 1 || degree[b] === 1))
        for (const e of chain.edges) stubs.add(e)
    }
    if (stubs.size === 0) return
    keepEdges(mesh, (e) => !stubs.has(e))
  }
}

/** Drops the longest small street at each block that is too small or too thin; returns whether there were any. */
function joinSmallBlocks(mesh: Mesh, lines: readonly DrawnLine[]): boolean {
  const faces = traceFaces(mesh)
  const thin = faces.rings.map(([ring]) => {
    const area = ringArea(ring!)
    const around = ring!.reduce((sum, [x, y], i) => {
      const [px, py] = ring![(i + ring!.length - 1) % ring!.length]!
      return sum + Math.hypot(x - px, y - py)
    }, 0)
    return area < small || (area < small * 8 && (4 * area) / around < 34)
  })
  const longest = new Map<number, { edges: number[]; length: number }>()
  for (const chain of chainEdges(mesh)) {
    if (lines[chain.line]!.kind !== 'local' && lines[chain.line]!.kind !== 'collector') continue
    for (const face of [faces.of[2 * chain.edges[0]!]!, faces.of[2 * chain.edges[0]! + 1]!]) {
      if (face < 0 || !thin[face]) continue
      if (chain.length > (longest.get(face)?.length ?? 0)) longest.set(face, chain)
    }
  }
  const dropped = new Set([...longest.values()].flatMap(({ edges }) => edges))
  keepEdges(mesh, (e) => !dropped.has(e))
  return dropped.size > 0
}
