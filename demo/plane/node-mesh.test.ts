import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawMesh } from './draw-mesh.ts'
import type { Mesh } from './mesh.ts'
import { nodeMesh, crossEdges, snapVertices, splitEdges, type Cut } from './node-mesh.ts'
import type { Point } from './point.ts'

const noded = (lines: Point[][], rank: (line: number) => number = (line) => line): Mesh => {
  const mesh = drawMesh(lines)
  nodeMesh(mesh, 10, rank)
  return mesh
}
const places = (mesh: Mesh): string[] =>
  [...new Set([...mesh.from, ...mesh.to])].map((v) => `${Math.round(mesh.x[v]!)} ${Math.round(mesh.y[v]!)}`)

describe('nodeMesh', () => {
  it('cuts two lines where they cross', () => {
    const mesh = noded([
      [
        [0, 0],
        [100, 100],
      ],
      [
        [0, 100],
        [100, 0],
      ],
    ])
    expect(mesh.from.length).toBe(4)
    expect(places(mesh)).toContain('50 50')
    expect(mesh.line.toSorted()).toEqual([0, 0, 1, 1])
  })

  it('leads a line through a place it nearly touches', () => {
    const mesh = noded([
      [
        [0, 0],
        [200, 0],
      ],
      [
        [100, 3],
        [100, 100],
      ],
    ])
    expect(mesh.from.length).toBe(3)
  })

  it('lets the line of better rank keep its place', () => {
    expect(
      places(
        noded([
          [
            [0, 0],
            [200, 0],
          ],
          [
            [100, 3],
            [100, 100],
          ],
        ]),
      ),
    ).toContain('100 0')
    expect(
      places(
        noded(
          [
            [
              [0, 0],
              [200, 0],
            ],
            [
              [100, 3],
              [100, 100],
            ],
          ],
          (line) => -line,
        ),
      ),
    ).toContain('100 3')
  })

  it('makes one vertex of two close ones and one edge of two equal ones', () => {
    const mesh = noded([
      [
        [0, 0],
        [100, 0],
      ],
      [
        [2, 1],
        [98, 1],
      ],
    ])
    expect(mesh.from.length).toBe(1)
    expect(mesh.line).toEqual([0])
  })

  it('closes rings', () => {
    const mesh = noded([
      [
        [0, 0],
        [100, 0],
        [100, 100],
        [0, 0],
      ],
    ])
    expect(mesh.x.length).toBe(3)
    expect(mesh.from.length).toBe(3)
  })

  it('leaves nothing that crosses, whatever is drawn', () => {
    const coordinate = fc.integer({ min: -600, max: 600 })
    const line = fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 6 })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 7 }), (lines) => {
        const mesh = noded(lines)
        let crossings = 0
        for (let e = 0; e < mesh.from.length; e++) {
          for (let f = e + 1; f < mesh.from.length; f++) if (crosses(mesh, e, f)) crossings++
        }
        expect(crossings).toBe(0)
      }),
      { numRuns: 40, seed: 7 },
    )
  })
})

function crosses(mesh: Mesh, e: number, f: number): boolean {
  const ends = [mesh.from[e]!, mesh.to[e]!, mesh.from[f]!, mesh.to[f]!]
  if (ends[0] === ends[2] || ends[0] === ends[3] || ends[1] === ends[2] || ends[1] === ends[3]) return false
  const [a, b, c, d] = ends.map((v): Point => [mesh.x[v]!, mesh.y[v]!]) as [Point, Point, Point, Point]
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

function side(a: Point, b: Point, p: Point): number {
  return Math.sign((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]))
}

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

const snapped = (
  lines: Point[][],
  near: number,
  rank: (line: number) => number,
): { mesh: Mesh; snaps: number } => {
  const mesh = drawMesh(lines)
  return { snaps: snapVertices(mesh, near, rank), mesh }
}
const better = (line: number): number => line
const worse = (line: number): number => -line
const tee: Point[][] = [
  [
    [0, 0],
    [300, 0],
  ],
  [
    [120, 4],
    [120, 200],
  ],
]

describe('snapVertices', () => {
  it('leads an edge through a vertex it nearly touches', () => {
    const { mesh, snaps } = snapped(tee, 5, better)
    expect(snaps).toBe(1)
    expect(mesh.line.toSorted()).toEqual([0, 0, 1])
    expect([mesh.from[0], mesh.to[0]]).toEqual([0, 2])
  })

  it('moves the vertex onto an edge of better rank, and else bends the edge', () => {
    expect([snapped(tee, 5, better).mesh.x[2], snapped(tee, 5, better).mesh.y[2]]).toEqual([120, 0])
    expect([snapped(tee, 5, worse).mesh.x[2], snapped(tee, 5, worse).mesh.y[2]]).toEqual([120, 4])
  })

  it('looks no farther than near', () => {
    expect(snapped(tee, 4, better).snaps).toBe(0)
    expect(snapped(tee, 4.001, better).snaps).toBe(1)
  })

  it('leaves alone what lies beyond either end', () => {
    const { mesh, snaps } = snapped(
      [
        [
          [0, 0],
          [300, 0],
        ],
        [
          [302, 1],
          [400, 1],
        ],
        [
          [-2, 1],
          [-90, 1],
        ],
      ],
      5,
      better,
    )
    expect(snaps).toBe(0)
    expect(mesh.from.length).toBe(3)
  })

  it('leads one edge through several vertices, in their order', () => {
    const { mesh, snaps } = snapped(
      [
        [
          [0, 0],
          [300, 0],
        ],
        [
          [200, 3],
          [200, 90],
        ],
        [
          [100, -3],
          [100, -90],
        ],
      ],
      5,
      better,
    )
    expect(snaps).toBe(2)
    const along = mesh.from.flatMap((from, e) =>
      mesh.line[e] === 0 ? [[mesh.x[from], mesh.x[mesh.to[e]!]]] : [],
    )
    expect(along.toSorted(([a], [b]) => a! - b!)).toEqual([
      [0, 100],
      [100, 200],
      [200, 300],
    ])
  })
})

const straight = (): Mesh =>
  drawMesh([
    [
      [0, 0],
      [100, 0],
    ],
  ])
const addVertices = (mesh: Mesh, shares: readonly number[]): Cut[] =>
  shares.map((at) => {
    mesh.y.push(0)
    return { at, vertex: mesh.x.push(at * 100) - 1 }
  })

describe('splitEdges', () => {
  it('leaves a mesh without cuts alone', () => {
    const mesh = straight()
    splitEdges(mesh, new Map())
    expect(mesh).toEqual(straight())
  })

  it('makes a row of edges through the cuts, however they are listed', () => {
    const mesh = straight()
    splitEdges(mesh, new Map([[0, addVertices(mesh, [0.75, 0.25, 0.5])]]))
    const pieces = mesh.from.map((from, e) => [mesh.x[from], mesh.x[mesh.to[e]!]])
    expect(pieces.toSorted(([a], [b]) => a! - b!)).toEqual([
      [0, 25],
      [25, 50],
      [50, 75],
      [75, 100],
    ])
    expect(mesh.line).toEqual([0, 0, 0, 0])
  })

  it('gives every piece the line of its edge', () => {
    const mesh = drawMesh([
      [
        [0, 0],
        [100, 0],
      ],
      [
        [0, 50],
        [100, 50],
      ],
    ])
    splitEdges(mesh, new Map([[1, addVertices(mesh, [0.5])]]))
    expect(mesh.line).toEqual([0, 1, 1])
  })

  it('adds one edge for each cut and keeps the length', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 12 }), (percents) => {
        const mesh = straight()
        splitEdges(
          mesh,
          percents.length === 0
            ? new Map()
            : new Map([
                [
                  0,
                  addVertices(
                    mesh,
                    percents.map((percent) => percent / 100),
                  ),
                ],
              ]),
        )
        expect(mesh.from.length).toBe(percents.length + 1)
        const length = mesh.from.reduce((sum, from, e) => sum + mesh.x[mesh.to[e]!]! - mesh.x[from]!, 0)
        expect(length).toBeCloseTo(100, 9)
      }),
    )
  })
})
