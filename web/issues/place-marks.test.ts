import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getSeparationZoom, getMarkLevel, placeMarks, findAtSamePlace } from './place-marks.ts'

const sum = (counts: readonly { count: number }[]): number =>
  counts.reduce((all, { count }) => all + count, 0)
const blue = (): string => '#0000FF'
/** Points spread over a city, three at each place. */
const city = (count: number) => ({
  lon: Array.from({ length: count }, (_, index) => -83 + (Math.floor(index / 3) % 97) / 500),
  lat: Array.from({ length: count }, (_, index) => 40 + (Math.floor(index / 3) % 89) / 700),
})

describe('marks of issues', () => {
  it('separates few issues at any zoom; those at one place share a mark with their number', () => {
    const { alone, stacks, clusters } = placeMarks({ lon: [1, 2, 1, 3, 1], lat: [1, 2, 1, 3, 2] }, 3, blue)
    expect([[...alone], stacks, clusters]).toEqual([[1, 3, 4], [{ lon: 1, lat: 1, count: 2, first: 0 }], []])
  })

  it('clusters many issues at a low zoom and separates them at a high one', () => {
    const points = city(6000)
    const [far, near] = [placeMarks(points, 9, blue), placeMarks(points, 13, blue)]
    expect(far.clusters.length).toBeGreaterThan(1)
    expect(far.clusters.length).toBeLessThan(300)
    expect(near.clusters).toEqual([])
  })

  it('counts the colors of each cluster, the most frequent one first', () => {
    const { clusters } = placeMarks(city(6000), 9, (index) => (index % 3 === 0 ? '#FF0000' : '#0000FF'))
    for (const { count, parts } of clusters) {
      expect(parts?.map(({ color }) => color)).toEqual(['#0000FF', '#FF0000'])
      expect(sum(parts ?? [])).toBe(count)
    }
  })

  it('neither loses nor duplicates issues at any zoom', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 })), {
          maxLength: 60,
        }),
        fc.double({ min: 2, max: 18, noNaN: true }),
        fc.constantFrom(0, 1200),
        (places, zoom, more) => {
          const { lon, lat } = city(more)
          const points = {
            lon: [...places.map(([x]) => -83 + x / 100), ...lon],
            lat: [...places.map(([, y]) => 40 + y / 100), ...lat],
          }
          const { alone, stacks, clusters } = placeMarks(points, zoom, blue)
          expect(alone.length + sum(stacks) + sum(clusters)).toBe(points.lon.length)
          expect(new Set(alone).size).toBe(alone.length)
        },
      ),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 30) },
    )
  })

  it('changes only at zoom steps, and not after all issues are separate', () => {
    expect([getMarkLevel(9.1, 6000), getMarkLevel(9.4, 6000), getMarkLevel(9.6, 6000)]).toEqual([9, 9, 9.5])
    expect([getMarkLevel(13.2, 6000), getMarkLevel(17, 6000)]).toEqual([13, 13])
    expect([getMarkLevel(4, 900), getMarkLevel(15, 900), getSeparationZoom(100_000)]).toEqual([0, 0, 14.5])
  })

  it('finds the other issues at a place', () => {
    expect(findAtSamePlace({ lon: [1, 2, 1, 1], lat: [1, 1, 1, 2] }, 2)).toEqual([0, 2])
  })
})
