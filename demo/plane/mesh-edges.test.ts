import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainEdges } from './chain-edges.ts'
import { drawMesh } from './draw-mesh.ts'
import { edgesAt } from './edges-at.ts'
import { keepEdges, type Mesh } from './mesh.ts'
import { nextHalfEdges } from './trace-faces.ts'
import { segmentGrid, squareOf } from './node-mesh.ts'
import { boardMesh, squareRing } from './small-meshes.ts'

/** Any edges between a few vertices on a circle, so that no three are in a row. */
const anyMesh = fc
  .array(
    fc.tuple(fc.nat(9), fc.nat(9)).filter(([a, b]) => a !== b),
    { minLength: 1, maxLength: 20 },
  )
  .map((pairs): Mesh => {
    const turn = (v: number): number => (v / 10) * 2 * Math.PI
    const all = Array.from({ length: 10 }, (_, v) => v)
    return {
      x: all.map((v) => 500 * Math.cos(turn(v))),
      y: all.map((v) => 500 * Math.sin(turn(v))),
      from: pairs.map(([a]) => a),
      to: pairs.map(([, b]) => b),
      line: pairs.map((_, e) => e % 3),
    }
  })

describe('drawMesh', () => {
  it('draws open lines from end to end and closed ones around', () => {
    const mesh = drawMesh([
      [
        [0, 0],
        [5, 0],
        [5, 5],
      ],
      squareRing(10, 10, 4),
    ])
    expect(mesh.x.length).toBe(7)
    expect(mesh.from).toEqual([0, 1, 3, 4, 5, 6])
    expect(mesh.to).toEqual([1, 2, 4, 5, 6, 3])
    expect(mesh.line).toEqual([0, 0, 1, 1, 1, 1])
  })

  it('does not take a line there and back for a ring', () => {
    expect(
      drawMesh([
        [
          [0, 0],
          [0, 0],
        ],
      ]).x.length,
    ).toBe(2)
  })
})

describe('edgesAt', () => {
  it('lists each half-edge once, at the vertex it leaves', () => {
    fc.assert(
      fc.property(anyMesh, (mesh) => {
        const { first, half } = edgesAt(mesh)
        expect([...half].toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: mesh.from.length * 2 }, (_, h) => h),
        )
        for (let v = 0; v < mesh.x.length; v++) {
          for (const h of half.slice(first[v], first[v + 1]))
            expect(h & 1 ? mesh.to[h >> 1] : mesh.from[h >> 1]).toBe(v)
        }
      }),
    )
  })
})

describe('nextHalfEdges', () => {
  it('goes on from where each half-edge arrives, and follows each just one', () => {
    fc.assert(
      fc.property(anyMesh, (mesh) => {
        const next = nextHalfEdges(mesh)
        next.forEach((n, h) => {
          const arrived = h & 1 ? mesh.from[h >> 1] : mesh.to[h >> 1]
          expect(n & 1 ? mesh.to[n >> 1] : mesh.from[n >> 1]).toBe(arrived)
        })
        expect(new Set(next).size).toBe(next.length)
      }),
    )
  })

  it('turns back at a dead end', () => {
    expect([
      ...nextHalfEdges(
        drawMesh([
          [
            [0, 0],
            [9, 0],
          ],
        ]),
      ),
    ]).toEqual([1, 0])
  })
})

describe('keepEdges', () => {
  it('keeps what is wanted in its order, and all vertices', () => {
    const mesh = drawMesh([
      [
        [0, 0],
        [1, 0],
        [2, 0],
        [3, 0],
      ],
      [
        [0, 5],
        [1, 5],
      ],
    ])
    keepEdges(mesh, (edge) => edge % 2 === 1)
    expect(mesh.from).toEqual([1, 4])
    expect(mesh.to).toEqual([2, 5])
    expect(mesh.line).toEqual([0, 1])
    expect(mesh.x.length).toBe(6)
  })
})

describe('chainEdges', () => {
  it('cuts a board of streets at every junction', () => {
    const chains = chainEdges(boardMesh(4, 100))
    // The four corners join two lines, so they part chains too.
    expect(chains.length).toBe(24)
    expect(chains.every(({ length, edges }) => edges.length === 1 && Math.abs(length - 100) < 1e-9)).toBe(
      true,
    )
  })

  it('holds every edge once, each of the line of its chain, vertex to vertex', () => {
    fc.assert(
      fc.property(anyMesh, (mesh) => {
        const chains = chainEdges(mesh)
        expect(chains.flatMap(({ edges }) => edges).toSorted((a, b) => a - b)).toEqual(
          mesh.from.map((_, e) => e),
        )
        for (const { edges, vertices, line } of chains) {
          edges.forEach((e, i) => {
            expect(mesh.line[e]).toBe(line)
            expect([mesh.from[e]!, mesh.to[e]!].toSorted()).toEqual(
              [vertices[i]!, vertices[i + 1]!].toSorted(),
            )
          })
        }
      }),
    )
  })
})

describe('segmentGrid', () => {
  it('lists an edge in the square of every place on it, however long and slanted', () => {
    const metres = fc.integer({ min: -9000, max: 9000 })
    fc.assert(
      fc.property(
        fc.tuple(metres, metres),
        fc.tuple(metres, metres),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b, share) => {
          const grid = segmentGrid(drawMesh([[a, b]]))
          expect(grid.get(squareOf(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))).toEqual([0])
        },
      ),
    )
  })

  it('skips the squares a long slanted edge does not come near', () => {
    const grid = segmentGrid(
      drawMesh([
        [
          [0, 0],
          [6000, 6000],
        ],
      ]),
    )
    expect(grid.has(squareOf(5900, 100))).toBe(false)
    expect(grid.size).toBeLessThan(42 * 6)
  })
})
