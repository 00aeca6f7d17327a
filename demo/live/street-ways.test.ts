import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { smallCity } from '../small-city.ts'
import { placeOnEdge } from '../trips/place-on-edge.ts'
import { rideNetwork } from '../trips/ride-network.ts'
import { placeOnWay } from './ride-places.ts'
import { streetWays } from './street-ways.ts'

const { streets } = smallCity()
const wayOf = streetWays(streets)
const edge = fc.nat(streets.edges.length - 1)
const ends = fc
  .tuple(edge, fc.double({ min: 0, max: 1, noNaN: true }), edge, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([startEdge, a, endEdge, b]) => ({
    startEdge,
    startOffset: a * streets.edges[startEdge]!.length,
    endEdge,
    endOffset: b * streets.edges[endEdge]!.length,
  }))
const placeOf = (of: number, offset: number): [number, number] => {
  const into = new Float64Array(2)
  placeOnEdge(streets.edges[of]!, offset, into)
  return [into[0]!, into[1]!]
}
/** Metres from the next street of a board whose streets are 300 metres apart. */
const offStreet = (x: number, y: number): number =>
  Math.min(...[x, y].map((value) => Math.abs(value / 300 - Math.round(value / 300)) * 300))

describe('a way', () => {
  it('leads along the streets from end to end, and is as long as the shortest one', () => {
    fc.assert(
      fc.property(ends, (given) => {
        const way = wayOf(given)
        const [first, last] = [placeOnWay(way, 0), placeOnWay(way, way.length)]
        const [from, to] = [
          placeOf(given.startEdge, given.startOffset),
          placeOf(given.endEdge, given.endOffset),
        ]
        expect(Math.hypot(first.x - from[0], first.y - from[1])).toBeLessThan(1e-6)
        expect(Math.hypot(last.x - to[0], last.y - to[1])).toBeLessThan(1e-6)
        for (let i = 0; i < way.path.length; i += 2)
          expect(offStreet(way.path[i]!, way.path[i + 1]!)).toBeLessThan(1e-6)
        const [a, b] = [streets.edges[given.startEdge]!, streets.edges[given.endEdge]!]
        const { distancesFrom } = rideNetwork(streets)
        const through = [
          [a.from, given.startOffset],
          [a.to, a.length - given.startOffset],
        ].flatMap(([source, out]) =>
          [
            [b.from, given.endOffset],
            [b.to, b.length - given.endOffset],
          ].map(([target, into]) => out! + distancesFrom(source!)[target!]! + into!),
        )
        const wanted =
          given.startEdge === given.endEdge
            ? Math.abs(given.startOffset - given.endOffset)
            : Math.min(...through)
        expect(way.length).toBeCloseTo(wanted, 5)
      }),
      { numRuns: 300, seed: 3 },
    )
  })

  it('is ridden steadily: a quarter of it is a quarter of its length', () => {
    fc.assert(
      fc.property(ends, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
        const way = wayOf(given)
        const { x, y } = placeOnWay(way, share * way.length)
        expect(offStreet(x, y)).toBeLessThan(1e-6)
        let walked = 0
        let before = placeOnWay(way, 0)
        for (let i = 1; i <= 50; i++) {
          const here = placeOnWay(way, (share * way.length * i) / 50)
          walked += Math.hypot(here.x - before.x, here.y - before.y)
          before = here
        }
        // Corners between two places are cut.
        expect(walked).toBeLessThanOrEqual(share * way.length + 1e-6)
        expect(walked).toBeGreaterThan(share * way.length * 0.7 - 1e-6)
      }),
      { numRuns: 100, seed: 4 },
    )
  })

  it('looks where it goes', () => {
    const north = streets.edges.findIndex(({ path }) => path[0] === path[2] && path[3]! > path[1]!)
    const length = streets.edges[north]!.length
    expect(
      placeOnWay(wayOf({ startEdge: north, startOffset: 10, endEdge: north, endOffset: length - 10 }), 20)
        .heading,
    ).toBe(0)
    expect(
      placeOnWay(wayOf({ startEdge: north, startOffset: length - 10, endEdge: north, endOffset: 10 }), 20)
        .heading,
    ).toBe(180)
  })

  it('of a vehicle that stays where it is has no length', () => {
    const way = wayOf({ startEdge: 3, startOffset: 50, endEdge: 3, endOffset: 50 })
    expect(way.length).toBe(0)
    const [x, y] = placeOf(3, 50)
    expect(placeOnWay(way, 5)).toMatchObject({ x, y })
  })
})
