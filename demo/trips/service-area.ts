import type { DemoOperator } from '../operators.ts'
import type { StreetEdge, StreetGraph } from '../street-graph.ts'
import { aliasTable, type AliasTable } from './alias-table.ts'
import { attractors, type Pull } from './attractors.ts'
import { rhythm } from './rhythm.ts'

/** Side of the squares between which trips are drawn, meters. The street is drawn within the square. */
const square = 480
/** Distance over which the willingness to ride decreases to about a third, meters. */
const rideScale = 1350
/** Pull of any street, in addition to the attractors. */
const base: Readonly<Record<Pull, number>> = {
  home: 0.3,
  work: 0.1,
  leisure: 0.08,
  study: 0.02,
  station: 0.02,
}

/** Where the trips of an operator start and end. */
export interface ServiceArea {
  squares: { edges: Int32Array; edgeTable: AliasTable }[]
  /** The square of each street edge; -1 outside. */
  squareOf: Int16Array
  /** Draws the square in which a vehicle is deployed at night. */
  deploy: AliasTable
  /** Share of served ride requests, by phase and square. */
  departureShares: Float32Array[]
  /** Draws the destination square, by phase and square. */
  destinations: AliasTable[][]
}

/** Computes the service area of an operator on a street graph. */
export function serviceArea(graph: StreetGraph, operator: DemoOperator): ServiceArea {
  const groups = new Map<string, number[]>()
  graph.edges.forEach((edge, e) => {
    if (edge.district === undefined || edge.length < 40 || !operator.districts.includes(edge.district)) return
    const [x, y] = middle(edge)
    const key = `${Math.floor(x / square)} ${Math.floor(y / square)}`
    const group = groups.get(key)
    if (group) group.push(e)
    else groups.set(key, [e])
  })
  const squareOf = new Int16Array(graph.edges.length).fill(-1)
  const pulls: Record<Pull, number>[] = []
  const centers: (readonly [number, number])[] = []
  const squares = [...groups.values()].map((group, s) => {
    const sum: Record<Pull, number> = { home: 0, work: 0, leisure: 0, study: 0, station: 0 }
    const weights = group.map((e) => {
      squareOf[e] = s
      const edge = graph.edges[e]!
      const pull = pullAt(...middle(edge))
      let weight = 0
      for (const key of Object.keys(sum) as Pull[]) {
        sum[key] += pull[key] * edge.length
        weight += pull[key] * edge.length
      }
      return weight * (edge.class === 'arterial' ? 0.8 : edge.class === 'collector' ? 1.3 : 1)
    })
    pulls.push(sum)
    const middles = group.map((e) => middle(graph.edges[e]!))
    centers.push([mean(middles.map(([x]) => x)), mean(middles.map(([, y]) => y))])
    return { edges: Int32Array.from(group), edgeTable: aliasTable(weights) }
  })
  const total = (weights: Readonly<Record<Pull, number>>): number[] =>
    pulls.map((pull) =>
      (Object.keys(weights) as Pull[]).reduce((sum, key) => sum + weights[key] * pull[key], 0),
    )
  // One block for all tables of destinations, which the system gets back as a whole.
  const count = centers.length
  const block: AliasTable = {
    probability: new Float32Array(rhythm.phases.length * count * count),
    alias: new Uint16Array(rhythm.phases.length * count * count),
  }
  return {
    squares,
    squareOf,
    deploy: aliasTable(total(rhythm.phases[0]!.from).map((weight) => weight ** 0.85)),
    departureShares: rhythm.phases.map(({ from, to }) => {
      const [out, into] = [total(from), total(to)]
      return Float32Array.from(out, (weight, s) =>
        Math.min(1, 0.22 + 0.6 * (weight / (weight + into[s]!)) ** 1.2),
      )
    }),
    destinations: rhythm.phases.map(({ to }, phase) => {
      const into = total(to)
      return centers.map(([x, y], from) => {
        const weights = centers.map(([cx, cy], s) => into[s]! * willingness(Math.hypot(cx - x, cy - y)))
        const [begin, end] = [(phase * count + from) * count, (phase * count + from + 1) * count]
        return aliasTable(weights, {
          probability: block.probability.subarray(begin, end),
          alias: block.alias.subarray(begin, end),
        })
      })
    }),
  }
}

/** Very short distances are walked, and long ones are not ridden. */
function willingness(meters: number): number {
  return (0.05 + Math.min(1, meters / 700)) * Math.exp(-meters / rideScale)
}

function pullAt(x: number, y: number): Record<Pull, number> {
  const pull = { ...base }
  for (const { pull: kind, at, radius, weight } of attractors) {
    const share = ((at[0] - x) ** 2 + (at[1] - y) ** 2) / radius ** 2
    if (share < 9) pull[kind] += weight * Math.exp(-share)
  }
  return pull
}

function middle({ path }: StreetEdge): [number, number] {
  const i = (path.length >> 2) * 2
  const j = path.length === 4 ? 0 : i - 2
  return [(path[i]! + path[j]!) / 2, (path[i + 1]! + path[j + 1]!) / 2]
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
