import type { DemoOperator } from '../operators.ts'
import type { StreetEdge, StreetGraph } from '../street-graph.ts'
import { aliasTable, type AliasTable } from './alias-table.ts'
import { attractors, type Pull } from './attractors.ts'
import { rhythm } from './rhythm.ts'

/** Side of the squares, in metres, between which trips are drawn; within a square the street is drawn. */
const square = 480
/** Metres over which the wish to ride so far falls to about a third. */
const patience = 1350
/** What draws people to any ordinary street, beside the pull of the attractors. */
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
  /** Draws the square in which a vehicle is put out at night. */
  putOut: AliasTable
  /** By mood and square: share of the wishes to leave that are met. */
  leave: Float32Array[]
  /** By mood and square: draws the square to which one rides. */
  goTo: AliasTable[][]
}

/** Works out the service area of an operator on the streets of the city. */
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
  const centres: (readonly [number, number])[] = []
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
    centres.push([mean(middles.map(([x]) => x)), mean(middles.map(([, y]) => y))])
    return { edges: Int32Array.from(group), edgeTable: aliasTable(weights) }
  })
  const total = (weights: Readonly<Record<Pull, number>>): number[] =>
    pulls.map((pull) =>
      (Object.keys(weights) as Pull[]).reduce((sum, key) => sum + weights[key] * pull[key], 0),
    )
  return {
    squares,
    squareOf,
    putOut: aliasTable(total(rhythm.moods[0]!.from).map((weight) => weight ** 0.85)),
    leave: rhythm.moods.map(({ from, to }) => {
      const [out, into] = [total(from), total(to)]
      return Float32Array.from(out, (weight, s) =>
        Math.min(1, 0.22 + 0.6 * (weight / (weight + into[s]!)) ** 1.2),
      )
    }),
    goTo: rhythm.moods.map(({ to }) => {
      const into = total(to)
      return centres.map(([x, y]) =>
        aliasTable(centres.map(([cx, cy], s) => into[s]! * willingness(Math.hypot(cx - x, cy - y)))),
      )
    }),
  }
}

/** Very short ways are walked, long ones are not ridden. */
function willingness(metres: number): number {
  return (0.05 + Math.min(1, metres / 700)) * Math.exp(-metres / patience)
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
