import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawMesh } from './draw-mesh.ts'
import type { Mesh } from './mesh.ts'
import { splitEdges, type Cut } from './split-edges.ts'

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
