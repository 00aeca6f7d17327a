import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SnapIndex, snapRadiusPx } from './snap-index.ts'

const project = (lon: number, lat: number) => ({ x: lon * 10_000, y: -lat * 10_000 })
const square = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [0, 0],
      [0.1, 0],
      [0.1, 0.1],
      [0, 0.1],
      [0, 0],
    ] as [number, number][],
  ],
}

describe('snapping', () => {
  const index = new SnapIndex([
    square,
    { type: 'Point', coordinates: [1, 1] },
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [2, 2],
          [3, 3],
        ],
        [
          [4, 4],
          [5, 5],
        ],
      ],
    },
  ])

  it('indexes every edge', () => {
    expect(index.size).toBe(4 + 1 + 2)
  })

  it('prefers a corner to an edge', () => {
    expect(index.findNearest([0.0008, 0.0002], project)).toEqual({ place: [0, 0], isCorner: true })
  })

  it('finds the nearest position on an edge', () => {
    const target = index.findNearest([0.05, 0.0005], project)
    expect(target?.isCorner).toBe(false)
    expect(target?.place[0]).toBeCloseTo(0.05, 9)
    expect(target?.place[1]).toBeCloseTo(0, 12)
  })

  it('ignores positions outside of the radius and excluded ones', () => {
    expect(index.findNearest([0.05, 0.0013], project)).toBeNull()
    expect(index.findNearest([1.0001, 1], project, () => true)?.isCorner).toBe(false)
    expect(index.findNearest([1.0001, 1], project)).toEqual({ place: [1, 1], isCorner: true })
  })

  it('never snaps beyond its radius', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.01, max: 0.11, noNaN: true }),
        fc.double({ min: -0.01, max: 0.11, noNaN: true }),
        (lon, lat) => {
          const target = index.findNearest([lon, lat], project)
          const edge = Math.min(
            ...[
              [0, null],
              [0.1, null],
              [null, 0],
              [null, 0.1],
            ].map(([x, y]) => {
              const [px, py] = [Math.min(0.1, Math.max(0, x ?? lon)), Math.min(0.1, Math.max(0, y ?? lat))]
              return Math.hypot(lon - px, lat - py) * 10_000
            }),
          )
          const distance = target ? Math.hypot(target.place[0] - lon, target.place[1] - lat) * 10_000 : 0
          expect(distance).toBeLessThanOrEqual(snapRadiusPx + 1e-6)
          expect(target !== null || edge > snapRadiusPx - 1e-6).toBe(true)
        },
      ),
    )
  })
})
