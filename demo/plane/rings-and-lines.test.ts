import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inRing, type Point, ringArea, toDegrees, offsetLine } from './point.ts'
import { innerPoint } from './inner-point.ts'
import { squareRing } from './small-meshes.ts'
import { smoothLine } from './smooth-line.ts'

const metres = fc.integer({ min: -5000, max: 5000 })
const place = fc.tuple(metres, metres)
/** A ring that sees its middle from everywhere: a radius for each of some directions around a place. */
const star = fc
  .tuple(place, fc.array(fc.integer({ min: 40, max: 900 }), { minLength: 5, maxLength: 14 }))
  .map(([[x, y], radii]) =>
    radii.map((radius, i): Point => [
      x + radius * Math.cos((i / radii.length) * 2 * Math.PI),
      y + radius * Math.sin((i / radii.length) * 2 * Math.PI),
    ]),
  )

describe('ringArea', () => {
  it('is the same wherever the ring lies and starts, and turns its sign with it', () => {
    fc.assert(
      fc.property(star, place, fc.nat(4), (ring, [dx, dy], start) => {
        const area = ringArea(ring)
        expect(area).toBeGreaterThan(0)
        expect(ringArea(ring.map(([x, y]): Point => [x + dx, y + dy])) / area).toBeCloseTo(1, 6)
        expect(ringArea([...ring.slice(start), ...ring.slice(0, start)]) / area).toBeCloseTo(1, 9)
        expect(ringArea(ring.toReversed()) / area).toBeCloseTo(-1, 9)
      }),
    )
  })
})

describe('inRing', () => {
  it('agrees with the angle under which the ring is seen, either way around', () => {
    const turns = (ring: readonly Point[], x: number, y: number): number =>
      ring.reduce((sum, [bx, by], i) => {
        const [ax, ay] = ring.at(i - 1)!
        return (
          sum +
          Math.atan2((ax - x) * (by - y) - (bx - x) * (ay - y), (ax - x) * (bx - x) + (ay - y) * (by - y))
        )
      }, 0) /
      (2 * Math.PI)
    fc.assert(
      fc.property(
        star,
        fc.tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -999, max: 999 })),
        (ring, [dx, dy]) => {
          const [x, y] = [ring[0]![0] + dx + 0.37, ring[0]![1] + dy + 0.41]
          const expected = Math.round(turns(ring, x, y)) !== 0
          expect(inRing(ring, x, y)).toBe(expected)
          expect(inRing(ring.toReversed(), x, y)).toBe(expected)
        },
      ),
    )
  })

  it('answers alike for closed and open rings', () => {
    const closed = squareRing(0, 0, 100)
    for (const [x, y] of [
      [50, 50],
      [-1, 50],
      [101, 50],
      [50, 100.5],
      [0.5, 99.5],
    ] as const) {
      expect(inRing(closed, x, y)).toBe(inRing(closed.slice(0, -1), x, y))
    }
  })
})

describe('innerPoint', () => {
  it('stays out of every hole, even one that fills the middle', () => {
    const rings = [squareRing(0, 0, 100), squareRing(10, 10, 80)]
    const [x, y] = innerPoint(rings)
    expect(inRing(rings[0]!, x, y)).toBe(true)
    expect(inRing(rings[1]!, x, y)).toBe(false)
  })

  it('finds the wide part of a shape with a thin middle', () => {
    const hourglass: Point[] = [
      [0, 0],
      [100, 0],
      [51, 50],
      [100, 100],
      [0, 100],
      [49, 50],
    ]
    const [x, y] = innerPoint([hourglass])
    expect(Math.abs(y - 50)).toBeGreaterThan(30)
    expect(Math.abs(x - 50)).toBeLessThan(5)
  })
})

describe('smoothLine', () => {
  it('goes through every point in order, from the first to the last, with steps about as asked', () => {
    const far = fc.array(fc.tuple(fc.integer({ min: 200, max: 900 }), fc.integer({ min: -400, max: 400 })), {
      minLength: 2,
      maxLength: 8,
    })
    fc.assert(
      fc.property(far, fc.integer({ min: 40, max: 200 }), (steps, step) => {
        const points: Point[] = [[0, 0]]
        for (const [dx, dy] of steps) points.push([points.at(-1)![0] + dx, points.at(-1)![1] + dy])
        const curve = smoothLine(points, step)
        const places = points.map((point) =>
          curve.findIndex(([x, y]) => Math.abs(x - point[0]) < 1e-6 && Math.abs(y - point[1]) < 1e-6),
        )
        expect(places[0]).toBe(0)
        expect(places.at(-1)).toBe(curve.length - 1)
        expect(places).toEqual(places.toSorted((a, b) => a - b))
        expect(curve.flat().every(Number.isFinite)).toBe(true)
      }),
    )
  })

  it('cuts no stretch into more than 24 pieces', () => {
    expect(
      smoothLine(
        [
          [0, 0],
          [100_000, 0],
        ],
        10,
      ).length,
    ).toBe(25)
  })
})

describe('offsetLine', () => {
  it('keeps the distance asked for at each vertex, on the side asked for', () => {
    const line: Point[] = [
      [0, 0],
      [100, 30],
      [220, -40],
      [300, 10],
    ]
    const moved = offsetLine(line, (vertex) => (vertex + 1) * 10)
    moved.forEach(([x, y], i) =>
      expect(Math.hypot(x - line[i]![0], y - line[i]![1])).toBeCloseTo((i + 1) * 10, 9),
    )
    expect(ringArea([...line, ...moved.toReversed()])).toBeGreaterThan(0)
  })

  it('leaves a line of one place where it is', () => {
    expect(offsetLine([[3, 4]], () => 9)).toEqual([[3, 4]])
  })
})

describe('toDegrees', () => {
  it('is off by no more than a tenth of a metre', () => {
    fc.assert(
      fc.property(place, ([x, y]) => {
        const [lon, lat] = toDegrees(-75.2, 37.05, [x, y])
        expect(Math.abs((lat - 37.05) * 111_195 - y)).toBeLessThan(0.1)
        expect(Math.abs((lon + 75.2) * 111_195 * Math.cos((37.05 * Math.PI) / 180) - x)).toBeLessThan(0.1)
      }),
    )
  })
})
