import { describe, expect, it } from 'vitest'
import { drawMesh } from './draw-mesh.ts'
import type { Mesh } from './mesh.ts'
import type { Point } from './point.ts'
import { snapVertices } from './snap-vertices.ts'

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
