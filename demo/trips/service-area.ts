import { appendTo } from '#contract/group-by.ts'
import type { DemoOperator } from '../operators.ts'
import type { StreetEdge, StreetGraph } from '../street-graph.ts'
import { buildAliasTable, type AliasTable } from './alias-table.ts'
import { attractors, type AttractorKind } from './attractors.ts'
import { rhythm } from './rhythm.ts'

/** How strongly a place attracts people, by kind of attractor. */
type Pull = Record<AttractorKind, number>

/** Side of the squares between which trips are drawn, meters. The street is then drawn within the square. */
const squareMeters = 480
/** Distance over which the willingness to ride decreases to about a third (1/e), meters. */
const rideScaleMeters = 1350
/** Pull of every street in addition to the attractors. */
const basePull: Readonly<Pull> = { home: 0.3, work: 0.1, leisure: 0.08, study: 0.02, station: 0.02 }

/** Trips per meter relative to local streets, by class of street. */
const classFactors: Readonly<Record<string, number>> = { arterial: 0.8, collector: 1.3 }

/** Where the trips of an operator start and end. */
export interface ServiceArea {
  squares: { edges: Int32Array; edgeTable: AliasTable }[]
  /** The square of each street edge; -1 outside. */
  squareByEdge: Int16Array
  /** Table for drawing the square in which a vehicle is deployed at night. */
  deploy: AliasTable
  /** Share of served ride requests, by phase and square. */
  departureShares: Float32Array[]
  /** Tables for drawing the destination square, by phase and square of the start. */
  destinations: AliasTable[][]
}

export function makeServiceArea(graph: StreetGraph, operator: DemoOperator): ServiceArea {
  const squareByEdge = new Int16Array(graph.edges.length).fill(-1)
  const pulls: Pull[] = []
  const centers: (readonly [number, number])[] = []
  const squares = groupEdgesBySquare(graph, operator).map((edgeIndexes, squareIndex) => {
    const sum: Pull = { home: 0, work: 0, leisure: 0, study: 0, station: 0 }
    const weights = edgeIndexes.map((edgeIndex) => {
      squareByEdge[edgeIndex] = squareIndex
      const edge = graph.edges[edgeIndex]!
      const pull = computePull(...getMiddle(edge))
      let weight = 0
      for (const key of Object.keys(sum) as AttractorKind[]) {
        sum[key] += pull[key] * edge.length
        weight += pull[key] * edge.length
      }
      return weight * (classFactors[edge.class] ?? 1)
    })
    pulls.push(sum)
    const middles = edgeIndexes.map((edgeIndex) => getMiddle(graph.edges[edgeIndex]!))
    centers.push([mean(middles.map(([x]) => x)), mean(middles.map(([, y]) => y))])
    return { edges: Int32Array.from(edgeIndexes), edgeTable: buildAliasTable(weights) }
  })
  /** Sums the weighted pulls of each square. */
  const weighSquares = (weights: Readonly<Pull>): number[] =>
    pulls.map((pull) =>
      (Object.keys(weights) as AttractorKind[]).reduce((sum, key) => sum + weights[key] * pull[key], 0),
    )
  // One block for all tables of destinations, which is returned to the system at once.
  const count = centers.length
  const block: AliasTable = {
    probability: new Float32Array(rhythm.phases.length * count * count),
    alias: new Uint16Array(rhythm.phases.length * count * count),
  }
  return {
    squares,
    squareByEdge,
    deploy: buildAliasTable(weighSquares(rhythm.phases[0]!.from).map((weight) => weight ** 0.85)),
    departureShares: rhythm.phases.map(({ from, to }) => {
      const [out, into] = [weighSquares(from), weighSquares(to)]
      return Float32Array.from(out, (weight, square) =>
        Math.min(1, 0.22 + 0.6 * (weight / (weight + into[square]!)) ** 1.2),
      )
    }),
    destinations: rhythm.phases.map(({ to }, phase) => {
      const into = weighSquares(to)
      return centers.map(([x, y], from) => {
        const weights = centers.map(
          ([cx, cy], square) => into[square]! * computeRideWillingness(Math.hypot(cx - x, cy - y)),
        )
        const [begin, end] = [(phase * count + from) * count, (phase * count + from + 1) * count]
        return buildAliasTable(weights, {
          probability: block.probability.subarray(begin, end),
          alias: block.alias.subarray(begin, end),
        })
      })
    }),
  }
}

/** Groups the longer edges in the operator's districts by square. */
function groupEdgesBySquare({ edges }: StreetGraph, { districts }: DemoOperator): number[][] {
  const groups = new Map<string, number[]>()
  for (const [index, edge] of edges.entries()) {
    if (edge.district === undefined || edge.length < 40 || !districts.includes(edge.district)) continue
    const [x, y] = getMiddle(edge)
    appendTo(groups, `${Math.floor(x / squareMeters)} ${Math.floor(y / squareMeters)}`, index)
  }
  return [...groups.values()]
}

/** Computes the relative willingness to ride: very short distances are walked, long ones rarely ridden. */
function computeRideWillingness(meters: number): number {
  return (0.05 + Math.min(1, meters / 700)) * Math.exp(-meters / rideScaleMeters)
}

/** Sums the pulls of the base and of the attractors near a position. */
function computePull(x: number, y: number): Pull {
  const pull = { ...basePull }
  for (const { kind, center, radius, weight } of attractors) {
    const share = ((center[0] - x) ** 2 + (center[1] - y) ** 2) / radius ** 2
    if (share < 9) pull[kind] += weight * Math.exp(-share)
  }
  return pull
}

function getMiddle({ path }: StreetEdge): [number, number] {
  const middle = (path.length >> 2) * 2
  const before = path.length === 4 ? 0 : middle - 2
  return [(path[middle]! + path[before]!) / 2, (path[middle + 1]! + path[before + 1]!) / 2]
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
