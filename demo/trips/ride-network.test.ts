import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeSmallCity } from '../small-city.ts'
import type { StreetEdge, StreetGraph } from '../street-graph.ts'
import { placeOnEdge } from './place-on-edge.ts'
import { recentRideDistances, rideDistances } from './ride-distances.ts'
import { rideNetwork } from './ride-network.ts'

const makeEdge = (from: number, to: number, length: number): StreetEdge => ({
  from,
  to,
  length,
  class: 'local',
  district: 'Any',
  isPark: false,
  path: new Float64Array(4),
})
const makeGraph = (nodes: number, edges: StreetEdge[]): StreetGraph => ({
  lon0: 0,
  lat0: 0,
  nodeX: new Float64Array(nodes),
  nodeY: new Float64Array(nodes),
  edges,
})

/** Computes all shortest paths by the Floyd-Warshall algorithm. */
function plainDistances({ nodeX, edges }: StreetGraph): number[][] {
  const n = nodeX.length
  const far = Array.from({ length: n }, (_, a) =>
    Array.from({ length: n }, (_, b) => (a === b ? 0 : Infinity)),
  )
  for (const { from, to, length } of edges) {
    const meters = Math.max(1, Math.round(length))
    far[from]![to] = Math.min(far[from]![to]!, meters)
    far[to]![from] = Math.min(far[to]![from]!, meters)
  }
  for (let k = 0; k < n; k++)
    for (let a = 0; a < n; a++)
      for (let b = 0; b < n; b++) far[a]![b] = Math.min(far[a]![b]!, far[a]![k]! + far[k]![b]!)
  return far
}

describe('rideDistances', () => {
  it('agrees with the plain algorithm', () => {
    const street = fc
      .tuple(fc.nat(11), fc.nat(11), fc.integer({ min: 0, max: 4000 }))
      .map(([a, b, length]) => makeEdge(a, b, length))
    fc.assert(
      fc.property(fc.array(street, { maxLength: 30 }), (edges) => {
        const graph = makeGraph(12, edges)
        const [distancesFrom, plain] = [rideDistances(graph), plainDistances(graph)]
        for (let node = 11; node >= 0; node--)
          expect([...distancesFrom(node)]).toEqual(plain[node]!.map((meters) => Math.min(meters, 65_535)))
      }),
      { seed: 6, numRuns: 60 },
    )
  })

  it('finds paths longer than its ring of buckets', () => {
    const chain = Array.from({ length: 8 }, (_, i) => makeEdge(i, i + 1, 6000))
    expect([...rideDistances(makeGraph(9, chain))(0)]).toEqual([
      0, 6000, 12_000, 18_000, 24_000, 30_000, 36_000, 42_000, 48_000,
    ])
  })

  it('measures along the streets of a grid', () => {
    const { streets } = makeSmallCity()
    const row = rideNetwork(streets).distancesFrom(0)
    row.forEach((meters, node) => {
      const blocks =
        Math.abs(streets.nodeX[node]! - streets.nodeX[0]!) +
        Math.abs(streets.nodeY[node]! - streets.nodeY[0]!)
      expect(meters).toBe(Math.round(blocks))
    })
  })
})

describe('recentRideDistances', () => {
  it('returns the same distances and does not change a row that it evicts', () => {
    const { streets } = makeSmallCity()
    const [distancesFrom, recent] = [rideDistances(streets), recentRideDistances(streets, 2)]
    const rows = Array.from({ length: 30 }, (_, index) => recent((index * 7) % 10))
    rows.forEach((row, index) => expect(row).toEqual(distancesFrom((index * 7) % 10)))
    expect(recent(rows.length % 10)).toBe(recent(rows.length % 10))
  })
})

describe('rideNetwork', () => {
  it('a ride network is created once per graph', () => {
    const { streets } = makeSmallCity()
    expect(rideNetwork(streets)).toBe(rideNetwork(streets))
    expect(rideNetwork(makeSmallCity().streets)).not.toBe(rideNetwork(streets))
  })
})

describe('placeOnEdge', () => {
  it('finds the place at the requested distance along any line', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: 1, max: 90 })), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(steps, fc.double({ min: 0, max: 1, noNaN: true }), (bends, share) => {
        const path = [0, 0]
        for (const [dx, dy] of bends) path.push(path.at(-2)! + dx, path.at(-1)! + dy)
        const lengths = bends.map(([dx, dy]) => Math.hypot(dx, dy))
        const length = lengths.reduce((sum, meters) => sum + meters)
        const place = new Float64Array(2)
        placeOnEdge({ ...makeEdge(0, 1, length), path: Float64Array.from(path) }, share * length, place)
        // Every step goes north, so the position determines the distance.
        const [, y] = place
        let walked = 0
        for (let i = 0; i < bends.length; i++)
          walked += lengths[i]! * Math.max(0, Math.min(1, (y! - path[2 * i + 1]!) / bends[i]![1]))
        expect(walked).toBeCloseTo(share * length, 6)
      }),
    )
  })
})
