import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simplifyTrack } from './simplify-track.ts'
import { positions } from '../../test/positions.ts'

const makeTrack = (points: readonly (readonly [number, number])[]) => ({
  x: Float64Array.from(points, ([x]) => x),
  y: Float64Array.from(points, ([, y]) => y),
})

test('simplifyTrack retains corners and removes points between them', () => {
  expect(simplifyTrack(makeTrack(positions('0 0, 10 1, 20 -1, 30 0, 30 10, 31 20, 30 30')), 3)).toEqual([
    0, 3, 6,
  ])
  expect(simplifyTrack(makeTrack([[0, 0]]), 3)).toEqual([0])
  expect(simplifyTrack(makeTrack([]), 3)).toEqual([])
})

test('simplifyTrack removes no point beyond the tolerance and always retains the ends', () => {
  const point = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 }))
  fc.assert(
    fc.property(
      fc.array(point, { minLength: 2, maxLength: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (points, meters) => {
        const retained = simplifyTrack(makeTrack(points), meters)
        expect([retained[0], retained.at(-1)]).toEqual([0, points.length - 1])
        points.forEach(([px, py], index) => {
          const next = retained.findIndex((position) => position >= index)
          const a = points[retained[Math.max(0, next - 1)] as number] as [number, number]
          const b = points[retained[next] as number] as [number, number]
          const length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
          const share =
            length === 0
              ? 0
              : Math.max(0, Math.min(1, ((px - a[0]) * (b[0] - a[0]) + (py - a[1]) * (b[1] - a[1])) / length))
          expect(
            Math.hypot(px - a[0] - share * (b[0] - a[0]), py - a[1] - share * (b[1] - a[1])),
          ).toBeLessThanOrEqual(meters + 1e-9)
        })
      },
    ),
  )
})
