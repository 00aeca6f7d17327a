import { chainEdges } from '../plane/chain-edges.ts'
import type { Mesh } from '../plane/mesh.ts'
import { toDegrees } from '../plane/point.ts'
import type { CityFeature } from '../city.ts'
import type { DrawnLine } from './drawn-line.ts'
import { isStreet } from './is-street.ts'

/** One line feature for each unbroken stretch of a named street. */
export function streetFeatures(
  mesh: Mesh,
  lines: readonly DrawnLine[],
  origin: { lon: number; lat: number },
): CityFeature[] {
  const features: CityFeature[] = []
  const byStreet = new Map<string, number[][]>()
  const atFreeway = new Set<number>()
  for (let e = 0; e < mesh.from.length; e++) {
    if (lines[mesh.line[e]!]!.kind === 'freeway') atFreeway.add(mesh.from[e]!).add(mesh.to[e]!)
  }
  for (const chain of chainEdges(mesh)) {
    const { key, kind } = lines[chain.line]!
    if (!isStreet(lines[chain.line]!)) continue
    // Local streets end before the freeway: their last stretch is left out, where there is more than one.
    if (kind === 'local') {
      if (chain.vertices.length > 2 && atFreeway.has(chain.vertices[0]!)) chain.vertices.shift()
      if (chain.vertices.length > 2 && atFreeway.has(chain.vertices.at(-1)!)) chain.vertices.pop()
    }
    const list = byStreet.get(key)
    if (list) list.push(chain.vertices)
    else byStreet.set(key, [chain.vertices])
  }
  const sample = new Map(lines.map((line) => [line.key, line]))
  for (const [key, chains] of byStreet) {
    const { kind, name } = sample.get(key)!
    for (const vertices of joinChains(chains)) {
      features.push({
        type: 'Feature',
        properties: { name, class: kind === 'park' ? 'collector' : kind },
        geometry: {
          type: 'LineString',
          coordinates: vertices.map((v) => toDegrees(origin.lon, origin.lat, [mesh.x[v]!, mesh.y[v]!])),
        },
      })
    }
  }
  return features
}

/** Chains that meet end to end become one; at a fork the first two do. */
function joinChains(chains: readonly number[][]): number[][] {
  const ends = new Map<number, Set<number>>()
  const joined = chains.map((chain) => chain.slice())
  const note = (i: number): void => {
    for (const v of [joined[i]![0]!, joined[i]!.at(-1)!]) ends.set(v, (ends.get(v) ?? new Set()).add(i))
  }
  const forget = (i: number): void => {
    for (const v of [joined[i]![0]!, joined[i]!.at(-1)!]) ends.get(v)!.delete(i)
  }
  joined.forEach((_, i) => note(i))
  const gone = new Set<number>()
  for (let i = 0; i < joined.length; i++) {
    if (gone.has(i)) continue
    for (;;) {
      const [first, last] = [joined[i]![0]!, joined[i]!.at(-1)!]
      const pick = (v: number): number | undefined => [...ends.get(v)!].find((j) => j !== i)
      const after = pick(last)
      const other = after ?? pick(first)
      if (other === undefined || first === last) break
      forget(i)
      forget(other)
      if (after === undefined) joined[i]!.reverse()
      const tail = joined[i]!.at(-1)!
      const next = joined[other]![0] === tail ? joined[other]! : joined[other]!.reverse()
      joined[i]!.push(...next.slice(1))
      gone.add(other)
      note(i)
    }
  }
  return joined.filter((_, i) => !gone.has(i))
}
