import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findProblems } from './geometry-problems.ts'
import { ring, square, star } from './test-areas.ts'
import { positions } from '../../../test/positions.ts'

describe('problems of a geometry', () => {
  it('are empty for a valid geometry', () => {
    expect(findProblems(square(0, 0, 1))).toEqual([])
    expect(
      findProblems({ type: 'Polygon', coordinates: [ring(0, 0, 6), ring(1, 1, 1), ring(3, 3, 2)] }),
    ).toEqual([])
    expect(findProblems({ type: 'Point', coordinates: [0, 0] })).toEqual([])
    expect(findProblems({ type: 'LineString', coordinates: positions('0 0, 2 2, 2 0, 0 2') })).toEqual([])
  })

  it('include the position at which an outline crosses itself', () => {
    expect(findProblems({ type: 'Polygon', coordinates: [positions('0 0, 2 2, 2 0, 0 2, 0 0')] })).toEqual([
      { code: 'crossing', at: [1, 1] },
    ])
  })

  it('include a hole that crosses the outline, and one that is outside', () => {
    expect(
      findProblems({ type: 'Polygon', coordinates: [ring(0, 0, 2), ring(1, 0.5, 2)] }).map(
        ({ code }) => code,
      ),
    ).toEqual(['crossing', 'crossing'])
    expect(findProblems({ type: 'Polygon', coordinates: [ring(0, 0, 2), ring(5, 5, 1)] })).toEqual([
      { code: 'outside', at: [5, 5] },
    ])
  })

  it('include an outline that runs back over itself or touches itself', () => {
    expect(
      findProblems({ type: 'Polygon', coordinates: [positions('0 0, 4 0, 2 0, 2 2, 0 0')] }).length,
    ).toBeGreaterThan(0)
    expect(
      findProblems({ type: 'Polygon', coordinates: [positions('0 0, 4 0, 4 4, 2 0, 0 4, 0 0')] }),
    ).toContainEqual({ code: 'crossing', at: [2, 0] })
  })

  it('include rings and lines with too few positions', () => {
    expect(findProblems({ type: 'Polygon', coordinates: [positions('0 0, 1 1, 0 0, 0 0')] })).toEqual([
      { code: 'few', at: [0, 0] },
    ])
    expect(
      findProblems({ type: 'MultiLineString', coordinates: [positions('0 0, 1 0'), positions('3 3, 3 3')] }),
    ).toEqual([{ code: 'few', at: [3, 3] }])
  })

  it('allow two rings that touch at a point, and a repeated corner', () => {
    expect(
      findProblems({ type: 'Polygon', coordinates: [ring(0, 0, 4), positions('0 0, 2 1, 1 2, 0 0')] }),
    ).toEqual([])
    expect(findProblems({ type: 'Polygon', coordinates: [positions('0 0, 1 0, 1 0, 1 1, 0 0')] })).toEqual([])
  })

  it('are empty for any star', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 5, max: 60 }), { minLength: 4, maxLength: 40 }), (reaches) => {
        expect(findProblems(star([0, 0], reaches))).toEqual([])
      }),
    )
  })

  it('are found quickly for ten thousand corners', () => {
    const reaches = Array.from({ length: 10_000 }, (_, index) => 50 + Math.sin(index) * 5)
    const before = performance.now()
    expect(findProblems(star([0, 0], reaches))).toEqual([])
    expect(performance.now() - before).toBeLessThan(3000)
  })
})
