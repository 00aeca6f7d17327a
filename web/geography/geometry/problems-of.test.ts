import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { problemsOf } from './problems-of.ts'
import { ring, square, star } from './square-for-test.ts'
import { positions } from '../../../test/positions.ts'

describe('problems of a geometry', () => {
  it('are empty for a valid geometry', () => {
    expect(problemsOf(square(0, 0, 1))).toEqual([])
    expect(
      problemsOf({ type: 'Polygon', coordinates: [ring(0, 0, 6), ring(1, 1, 1), ring(3, 3, 2)] }),
    ).toEqual([])
    expect(problemsOf({ type: 'Point', coordinates: [0, 0] })).toEqual([])
    expect(
      problemsOf({
        type: 'LineString',
        coordinates: positions('0 0, 2 2, 2 0, 0 2'),
      }),
    ).toEqual([])
  })

  it('include the position at which an outline crosses itself', () => {
    expect(
      problemsOf({
        type: 'Polygon',
        coordinates: [positions('0 0, 2 2, 2 0, 0 2, 0 0')],
      }),
    ).toEqual([{ code: 'crossing', at: [1, 1] }])
  })

  it('include a hole that crosses the outline, and one that is outside', () => {
    expect(
      problemsOf({ type: 'Polygon', coordinates: [ring(0, 0, 2), ring(1, 0.5, 2)] }).map(({ code }) => code),
    ).toEqual(['crossing', 'crossing'])
    expect(problemsOf({ type: 'Polygon', coordinates: [ring(0, 0, 2), ring(5, 5, 1)] })).toEqual([
      { code: 'outside', at: [5, 5] },
    ])
  })

  it('include an outline that runs back over itself or touches itself', () => {
    expect(
      problemsOf({
        type: 'Polygon',
        coordinates: [positions('0 0, 4 0, 2 0, 2 2, 0 0')],
      }).length,
    ).toBeGreaterThan(0)
    expect(
      problemsOf({
        type: 'Polygon',
        coordinates: [positions('0 0, 4 0, 4 4, 2 0, 0 4, 0 0')],
      }),
    ).toContainEqual({ code: 'crossing', at: [2, 0] })
  })

  it('include rings and lines with too few positions', () => {
    expect(
      problemsOf({
        type: 'Polygon',
        coordinates: [positions('0 0, 1 1, 0 0, 0 0')],
      }),
    ).toEqual([{ code: 'few', at: [0, 0] }])
    expect(
      problemsOf({
        type: 'MultiLineString',
        coordinates: [positions('0 0, 1 0'), positions('3 3, 3 3')],
      }),
    ).toEqual([{ code: 'few', at: [3, 3] }])
  })

  it('allow two rings that touch at a point, and a repeated corner', () => {
    expect(
      problemsOf({
        type: 'Polygon',
        coordinates: [ring(0, 0, 4), positions('0 0, 2 1, 1 2, 0 0')],
      }),
    ).toEqual([])
    expect(
      problemsOf({
        type: 'Polygon',
        coordinates: [positions('0 0, 1 0, 1 0, 1 1, 0 0')],
      }),
    ).toEqual([])
  })

  it('are empty for any star', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 5, max: 60 }), { minLength: 4, maxLength: 40 }), (reaches) => {
        expect(problemsOf(star([0, 0], reaches))).toEqual([])
      }),
    )
  })

  it('are found quickly for ten thousand corners', () => {
    const reaches = Array.from({ length: 10_000 }, (_, at) => 50 + Math.sin(at) * 5)
    const before = performance.now()
    expect(problemsOf(star([0, 0], reaches))).toEqual([])
    expect(performance.now() - before).toBeLessThan(3000)
  })
})
