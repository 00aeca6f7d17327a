import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crossEdges } from './cross-edges.ts'
import { drawMesh } from './draw-mesh.ts'
import type { Mesh } from './mesh.ts'
import type { Point } from './point.ts'

/** How many pairs of segments cross, found by asking every pair. */
function plainCount(lines: readonly (readonly Point[])[]): number {
  const side = (a: Point, b: Point, p: Point): number =>
    Math.sign((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]))
  let count = 0
  lines.forEach(([a, b], i) =>
    lines.slice(i + 1).forEach(([c, d]) => {
      if (side(a!, b!, c!) * side(a!, b!, d!) <= 0 && side(c!, d!, a!) * side(c!, d!, b!) <= 0) count++
    }),
  )
  return count
}

const lengthOf = (mesh: Mesh): number =>
  mesh.from.reduce(
    (sum, a, e) => sum + Math.hypot(mesh.x[a]! - mesh.x[mesh.to[e]!]!, mesh.y[a]! - mesh.y[mesh.to[e]!]!),
    0,
  )

describe('crossEdges', () => {
  it('finds nothing where lines keep apart, run side by side or only share an end', () => {
    for (const lines of [
      [
        [
          [0, 0],
          [9, 0],
        ],
        [
          [0, 5],
          [9, 5],
        ],
      ],
      [
        [
          [0, 0],
          [9, 0],
          [9, 9],
        ],
      ],
    ] as Point[][][]) {
      const mesh = drawMesh(lines)
      expect(crossEdges(mesh)).toBe(0)
      expect(mesh).toEqual(drawMesh(lines))
    }
  })

  it('finds a crossing far from where the grid of squares begins, and exactly where it is', () => {
    const mesh = drawMesh([
      [
        [-9000, -4000],
        [-5000, -4000],
      ],
      [
        [-7123, -6000],
        [-7123, 2000],
      ],
    ])
    expect(crossEdges(mesh)).toBe(1)
    expect([mesh.x.at(-1), mesh.y.at(-1)]).toEqual([-7123, -4000])
    expect(mesh.from.length).toBe(4)
  })

  it('cuts one line that is crossed by many once for each', () => {
    const many = Array.from({ length: 7 }, (_, i): Point[] => [
      [i * 100 + 50, -300],
      [i * 100 + 20, 300],
    ])
    const mesh = drawMesh([
      [
        [0, 0],
        [700, 0],
      ],
      ...many,
    ])
    expect(crossEdges(mesh)).toBe(7)
    expect(mesh.line.filter((line) => line === 0).length).toBe(8)
  })

  it('agrees with asking every pair, and keeps the length of all lines', () => {
    // No two ends on one line: what merely touches is for snapVertices.
    const place = (shift: number): fc.Arbitrary<Point> =>
      fc
        .tuple(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: -2000, max: 2000 }))
        .map(([x, y]): Point => [x + shift, y + shift / 3])
    const line = fc
      .integer({ min: 0, max: 1000 })
      .chain((n) => fc.tuple(place(n * 0.000731), place(0.37 + n * 0.000173)))
    fc.assert(
      fc.property(fc.array(line, { minLength: 2, maxLength: 12 }), (lines) => {
        const mesh = drawMesh(lines)
        const before = lengthOf(mesh)
        expect(crossEdges(mesh)).toBe(plainCount(lines))
        expect(lengthOf(mesh)).toBeCloseTo(before, 5)
      }),
      { seed: 11 },
    )
  })
})
