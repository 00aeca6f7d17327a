import { describe, expect, it } from 'vitest'
import type { StreetEdge, StreetGraph } from '../street-graph.ts'
import { placeOnEdge } from './place-on-edge.ts'
import { rideDistances } from './ride-distances.ts'

const edge = (from: number, to: number, length: number, path: number[] = []): StreetEdge => ({
  from,
  to,
  length,
  class: 'local',
  district: 'Any',
  isPark: false,
  path: Float64Array.from(path),
})
const makeGraph = (nodes: number, edges: StreetEdge[]): StreetGraph => ({
  lon0: 0,
  lat0: 0,
  nodeX: new Float64Array(nodes),
  nodeY: new Float64Array(nodes),
  edges,
})

describe('rideDistances', () => {
  it('finds the shortest path in both directions', () => {
    const distancesFrom = rideDistances(
      makeGraph(5, [edge(0, 1, 100), edge(1, 2, 100), edge(0, 2, 350), edge(2, 3, 40), edge(3, 4, 7000)]),
    )
    expect([...distancesFrom(0)]).toEqual([0, 100, 200, 240, 7240])
    expect([...distancesFrom(4)]).toEqual([7240, 7140, 7040, 7000, 0])
    expect(distancesFrom(0)).toBe(distancesFrom(0))
  })

  it('the distance is 65535 if there is no path', () => {
    expect([...rideDistances(makeGraph(3, [edge(0, 1, 5)]))(0)]).toEqual([0, 5, 65535])
  })
})

describe('placeOnEdge', () => {
  const bent = edge(0, 1, 70, [0, 0, 30, 0, 30, 40])
  it.each([
    [0, 0, 0],
    [10, 10, 0],
    [30, 30, 0],
    [50, 30, 20],
    [70, 30, 40],
    [99, 30, 40],
  ])('goes %i meters along to %i, %i', (offset, x, y) => {
    const place = new Float64Array(2)
    placeOnEdge(bent, offset, place)
    expect([...place]).toEqual([x, y])
  })
})
