import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Area, Position } from '#contract/place.ts'
import { cutArea, fillHoles, countHoles, mergeAreas, repairArea, splitArea } from './area-operations.ts'
import { findProblems } from './geometry-problems.ts'
import { flatSize, ring, square, star } from './test-areas.ts'
import { positions } from '../../../test/positions.ts'

const runs = { numRuns: Number(process.env['RUNS'] ?? 60) }
const reaches = fc.array(
  fc.integer({ min: 5, max: 60 }).map((tenths) => tenths / 1000),
  { minLength: 4, maxLength: 14 },
)
const lines = fc
  .tuple(fc.integer({ min: 0, max: 359 }), fc.integer({ min: -20, max: 20 }))
  .map(([degrees, off]): Position[] => {
    const [x, y] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    const middle: Position = [-79.9 - (y * off) / 1000, 32.7 + (x * off) / 1000]
    return [
      [middle[0] - x, middle[1] - y],
      [middle[0] + x, middle[1] + y],
    ]
  })

describe('split', () => {
  it('divides a square into two halves, and returns one part if the line misses', () => {
    const pieces = splitArea(square(0, 0, 2), positions('0.5 -1, 0.5 3'))
    expect(pieces.map(flatSize)).toEqual([3, 1])
    expect(splitArea(square(0, 0, 2), positions('5 -1, 5 3'))).toEqual([square(0, 0, 2)])
    expect(splitArea(square(0, 0, 2), positions('1 -1, 1 1'))).toHaveLength(1)
  })

  it('preserves holes, and cuts through them', () => {
    const holed: Area = { type: 'Polygon', coordinates: [ring(0, 0, 6), ring(4, 4, 1)] }
    const [west, east] = splitArea(holed, positions('2 -1, 2 7'))
    expect([west, east].map((piece) => [flatSize(piece!), countHoles(piece!)])).toEqual(
      positions('23 1, 12 0'),
    )
    expect(splitArea(holed, positions('4.5 -1, 4.5 7')).map(flatSize)).toEqual([26.5, 8.5])
  })

  it('adds parts that the line does not cross to the largest part', () => {
    const two: Area = { type: 'MultiPolygon', coordinates: [[ring(0, 0, 2)], [ring(10, 0, 2)]] }
    const pieces = splitArea(two, positions('0.5 -1, 0.5 3'))
    expect(pieces.map(flatSize)).toEqual([7, 1])
    expect(pieces[0]!.type).toBe('MultiPolygon')
  })

  it('is reversed by a merge', () => {
    fc.assert(
      fc.property(reaches, lines, (far, line) => {
        const area = star([-79.9, 32.7], far)
        const pieces = splitArea(area, line)
        expect(pieces.reduce((sum, piece) => sum + flatSize(piece), 0)).toBeCloseTo(flatSize(area), 10)
        for (const piece of pieces) expect(findProblems(piece)).toEqual([])
        const merged = pieces.reduce(mergeAreas)
        expect(flatSize(merged)).toBeCloseTo(flatSize(area), 10)
        expect(countHoles(merged)).toBe(0)
      }),
      runs,
    )
  })
})

describe('merge', () => {
  it('removes the common border and closes the gaps in between', () => {
    const merged = mergeAreas(square(0, 0, 2), square(2, 0, 2))
    expect([merged.type, flatSize(merged), countHoles(merged)]).toEqual(['Polygon', 8, 0])
  })

  it('makes a multipolygon of separate areas', () => {
    expect(mergeAreas(square(0, 0, 1), square(5, 0, 1)).type).toBe('MultiPolygon')
  })
})

describe('cut', () => {
  it('makes a hole, which filling closes again', () => {
    const cut = cutArea(square(0, 0, 4), square(1, 1, 1))!
    expect([flatSize(cut), countHoles(cut)]).toEqual([15, 1])
    expect(fillHoles(cut)).toEqual({ type: 'Polygon', coordinates: [expect.arrayContaining(ring(0, 0, 4))] })
    expect(flatSize(fillHoles(cut))).toBe(16)
  })

  it('removes from the edge, and may leave nothing', () => {
    expect(flatSize(cutArea(square(0, 0, 4), square(3, -1, 6))!)).toBe(12)
    expect(cutArea(square(0, 0, 4), square(-1, -1, 6))).toBeNull()
  })

  it('fills one hole of several', () => {
    const holed: Area = {
      type: 'MultiPolygon',
      coordinates: [
        [ring(0, 0, 6), ring(1, 1, 1), ring(4, 4, 1)],
        [ring(10, 0, 6), ring(11, 1, 1)],
      ],
    }
    expect(countHoles(fillHoles(holed, { polygon: 0, ring: 2 }))).toBe(2)
    expect(countHoles(fillHoles(holed))).toBe(0)
  })

  it('leaves an area that adds up to the whole with the removed part', () => {
    fc.assert(
      fc.property(reaches, reaches, (far, near) => {
        const [area, subtracted] = [star([-79.9, 32.7], far), star([-79.89, 32.71], near)]
        const left = cutArea(area, subtracted)
        const shared = flatSize(area) + flatSize(subtracted) - flatSize(mergeAreas(area, subtracted))
        expect(left === null ? 0 : flatSize(left)).toBeCloseTo(flatSize(area) - shared, 9)
      }),
      runs,
    )
  })
})

describe('repair', () => {
  const bow: Area = { type: 'Polygon', coordinates: [positions('0 0, 2 2, 2 0, 0 2, 0 0')] }

  it('makes two triangles of a bow tie', () => {
    const repaired = repairArea(bow)!
    expect([repaired.type, flatSize(repaired)]).toEqual(['MultiPolygon', 2])
    expect(findProblems(repaired)).toEqual([])
  })

  it('leaves nothing of an outline without width', () => {
    expect(repairArea({ type: 'Polygon', coordinates: [positions('0 0, 1 1, 2 2, 0 0')] })).toBeNull()
  })

  it('rounds crossings, which could otherwise differ in the last digit', () => {
    const repaired = repairArea({
      type: 'Polygon',
      coordinates: [positions('0 5, 6 1, 5 4, 5 0, 5 5, 0 0, 0 5')],
    })!
    expect(findProblems(repaired)).toEqual([])
    expect(repaired.coordinates.flat(3)).toContain(1.66666666667)
  })

  it('makes any area valid', () => {
    const places = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
      minLength: 3,
      maxLength: 9,
    })
    // Positions on one line leave nothing, which is correct too.
    fc.assert(
      fc.property(places, (corners) => {
        const repaired = repairArea({
          type: 'Polygon',
          coordinates: [[...corners, corners[0]!] as Position[]],
        })
        expect(repaired ? findProblems(repaired) : []).toEqual([])
      }),
      runs,
    )
  })
})
