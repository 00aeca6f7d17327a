import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainEdges } from './chain-edges.ts'
import { drawMesh } from './draw-mesh.ts'
import { innerPoint } from './inner-point.ts'
import { inRing, type Point, ringArea, toDegrees, offsetLine } from './point.ts'
import { nodeMesh } from './node-mesh.ts'
import { smoothLine } from './smooth-line.ts'
import { smoothNoise } from './smooth-noise.ts'

const house: Point[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [5, 4],
  [0, 10],
]

describe('rings', () => {
  it('have a signed area', () => {
    expect(
      ringArea([
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ]),
    ).toBe(100)
    expect(
      ringArea([
        [0, 0],
        [0, 10],
        [10, 10],
        [10, 0],
      ]),
    ).toBe(-100)
    expect(ringArea([...house, house[0]!])).toBe(ringArea(house))
  })

  it('know what is in them', () => {
    expect(inRing(house, 1, 7)).toBe(true)
    expect(inRing(house, 5, 7)).toBe(false)
    expect(inRing(house, 11, 5)).toBe(false)
  })

  it('have a point well inside, holes or not', () => {
    const hole: Point[] = [
      [3, 1],
      [7, 1],
      [7, 3],
      [3, 3],
    ]
    const [x, y] = innerPoint([house, hole])
    expect(inRing(house, x, y)).toBe(true)
    expect(inRing(hole, x, y)).toBe(false)
  })
})

describe('lines', () => {
  it('are smoothed through all their points', () => {
    const points: Point[] = [
      [0, 0],
      [1000, 300],
      [1500, -800],
    ]
    const curve = smoothLine(points, 100)
    for (const point of points) expect(curve).toContainEqual(point)
    expect(curve.length).toBeGreaterThan(20)
  })

  it('stay straight when smoothed straight', () => {
    for (const [, y] of smoothLine(
      [
        [0, 5],
        [100, 5],
        [900, 5],
      ],
      50,
    ))
      expect(y).toBeCloseTo(5, 9)
  })

  it('are offset to their left', () => {
    expect(
      offsetLine(
        [
          [0, 0],
          [10, 0],
        ],
        () => 3,
      ),
    ).toEqual([
      [0, 3],
      [10, 3],
    ])
    expect(
      offsetLine(
        [
          [0, 0],
          [10, 0],
        ],
        () => -3,
      ),
    ).toEqual([
      [0, -3],
      [10, -3],
    ])
  })

  it('are chained from junction to junction, and around circles', () => {
    const mesh = drawMesh([
      [
        [0, 0],
        [50, 0],
        [100, 0],
        [150, 0],
      ],
      [
        [100, -50],
        [100, 50],
      ],
      [
        [300, 0],
        [400, 0],
        [350, 80],
        [300, 0],
      ],
    ])
    nodeMesh(mesh, 5, (line) => line)
    const chains = chainEdges(mesh)
    expect(chains.map(({ line, length }) => [line, Math.round(length)]).toSorted()).toEqual([
      [0, 100],
      [0, 50],
      [1, 50],
      [1, 50],
      [2, 289],
    ])
    expect(chains.every(({ edges, vertices }) => vertices.length === edges.length + 1)).toBe(true)
  })
})

describe('smoothNoise', () => {
  it('stays within -1 and 1, is the same again and changes little over a little way', () => {
    const place = fc.double({ min: -50, max: 50, noNaN: true })
    fc.assert(
      fc.property(fc.integer(), place, place, (seed, x, y) => {
        const noise = smoothNoise(seed, x, y)
        expect(Math.abs(noise)).toBeLessThanOrEqual(1)
        expect(smoothNoise(seed, x, y)).toBe(noise)
        expect(Math.abs(smoothNoise(seed, x + 0.001, y) - noise)).toBeLessThan(0.01)
      }),
    )
  })
})

describe('toDegrees', () => {
  it('gives 6 decimals around the origin', () => {
    expect(toDegrees(-75.2, 37.05, [0, 0])).toEqual([-75.2, 37.05])
    const [lon, lat] = toDegrees(-75.2, 37.05, [8875, 11_119.5])
    expect(lon).toBeCloseTo(-75.1, 4)
    expect(lat).toBeCloseTo(37.15, 6)
  })
})
