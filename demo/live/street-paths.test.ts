import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeSmallCity } from '../small-city.ts'
import { placeOnEdge } from '../trips/place-on-edge.ts'
import { rideNetwork } from '../trips/ride-network.ts'
import { placeOnPath } from './ride-places.ts'
import { createPathFinder } from './street-paths.ts'

const { streets } = makeSmallCity()
const findPath = createPathFinder(streets)
const edge = fc.nat(streets.edges.length - 1)
const ends = fc
  .tuple(edge, fc.double({ min: 0, max: 1, noNaN: true }), edge, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([startEdge, a, endEdge, b]) => ({
    startEdge,
    startOffset: a * streets.edges[startEdge]!.length,
    endEdge,
    endOffset: b * streets.edges[endEdge]!.length,
  }))
const getPosition = (edgeIndex: number, offset: number): [number, number] => {
  const into = new Float64Array(2)
  placeOnEdge(streets.edges[edgeIndex]!, offset, into)
  return [into[0]!, into[1]!]
}
/** Returns the meters to the nearest street of a grid with streets 300 meters apart. */
const getMetersOffStreet = (x: number, y: number): number =>
  Math.min(...[x, y].map((value) => Math.abs(value / 300 - Math.round(value / 300)) * 300))

describe('streetPaths', () => {
  it('follows the streets from end to end and has the shortest length', () => {
    fc.assert(
      fc.property(ends, (given) => {
        const path = findPath(given)
        const [first, last] = [placeOnPath(path, 0), placeOnPath(path, path.length)]
        const [from, to] = [
          getPosition(given.startEdge, given.startOffset),
          getPosition(given.endEdge, given.endOffset),
        ]
        expect(Math.hypot(first.x - from[0], first.y - from[1])).toBeLessThan(1e-6)
        expect(Math.hypot(last.x - to[0], last.y - to[1])).toBeLessThan(1e-6)
        for (let i = 0; i < path.points.length; i += 2)
          expect(getMetersOffStreet(path.points[i]!, path.points[i + 1]!)).toBeLessThan(1e-6)
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
        expect(path.length).toBeCloseTo(wanted, 5)
      }),
      { numRuns: 300, seed: 3 },
    )
  })

  it('a path is traversed at constant speed', () => {
    fc.assert(
      fc.property(ends, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
        const path = findPath(given)
        const { x, y } = placeOnPath(path, share * path.length)
        expect(getMetersOffStreet(x, y)).toBeLessThan(1e-6)
        let walked = 0
        let before = placeOnPath(path, 0)
        for (let i = 1; i <= 50; i++) {
          const here = placeOnPath(path, (share * path.length * i) / 50)
          walked += Math.hypot(here.x - before.x, here.y - before.y)
          before = here
        }
        // The straight line between two positions cuts corners.
        expect(walked).toBeLessThanOrEqual(share * path.length + 1e-6)
        expect(walked).toBeGreaterThan(share * path.length * 0.7 - 1e-6)
      }),
      { numRuns: 100, seed: 4 },
    )
  })

  it('the heading is the direction of travel', () => {
    const north = streets.edges.findIndex(({ path: line }) => line[0] === line[2] && line[3]! > line[1]!)
    const length = streets.edges[north]!.length
    expect(
      placeOnPath(findPath({ startEdge: north, startOffset: 10, endEdge: north, endOffset: length - 10 }), 20)
        .heading,
    ).toBe(0)
    expect(
      placeOnPath(findPath({ startEdge: north, startOffset: length - 10, endEdge: north, endOffset: 10 }), 20)
        .heading,
    ).toBe(180)
  })

  it('a path has no length if start and end are the same', () => {
    const path = findPath({ startEdge: 3, startOffset: 50, endEdge: 3, endOffset: 50 })
    expect(path.length).toBe(0)
    const [x, y] = getPosition(3, 50)
    expect(placeOnPath(path, 5)).toMatchObject({ x, y })
  })
})
