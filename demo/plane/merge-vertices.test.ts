import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawMesh } from './draw-mesh.ts'
import { mergeVertices } from './merge-vertices.ts'
import type { Mesh } from './mesh.ts'
import type { Point } from './point.ts'

const merged = (lines: Point[][], near = 10, rank: (line: number) => number = (line) => line): Mesh => {
  const mesh = drawMesh(lines)
  mergeVertices(mesh, near, rank)
  return mesh
}
const used = (mesh: Mesh): Set<number> => new Set([...mesh.from, ...mesh.to])
const ends = (mesh: Mesh, edge: number): Point[] =>
  [mesh.from[edge]!, mesh.to[edge]!].map((v): Point => [mesh.x[v]!, mesh.y[v]!])

describe('mergeVertices', () => {
  it('keeps the place of the line of better rank', () => {
    const lines: Point[][] = [
      [
        [0, 0],
        [100, 0],
      ],
      [
        [103, 4],
        [200, 80],
      ],
    ]
    expect(ends(merged(lines), 1)[0]).toEqual([100, 0])
    expect(
      ends(
        merged(lines, 10, (line) => -line),
        0,
      )[1],
    ).toEqual([103, 4])
  })

  it('leaves vertices alone that are just far enough apart', () => {
    const lines: Point[][] = [
      [
        [0, 0],
        [100, 0],
      ],
      [
        [110, 0],
        [200, 0],
      ],
    ]
    expect(used(merged(lines, 10)).size).toBe(4)
    expect(used(merged(lines, 10.01)).size).toBe(3)
  })

  it('drops an edge shorter than what is near', () => {
    expect(
      merged([
        [
          [0, 0],
          [4, 3],
        ],
      ]).from,
    ).toEqual([])
  })

  it('does not let a row of close vertices fall into one', () => {
    const row = Array.from({ length: 11 }, (_, i): Point => [i * 6, 0])
    const mesh = merged([row])
    expect(used(mesh).size).toBe(6)
    expect(Math.max(...[...used(mesh)].map((v) => mesh.x[v]!))).toBe(60)
  })

  it('makes one edge of doubles, of the line that ranks best, in either direction', () => {
    const lines: Point[][] = [
      [
        [1, 1],
        [99, 1],
      ],
      [
        [100, 0],
        [0, 0],
      ],
    ]
    expect(merged(lines).line).toEqual([0])
    expect(merged(lines, 10, (line) => -line).line).toEqual([1])
  })

  it('sees neighbours over the border of its squares, west and south of the middle too', () => {
    expect(
      used(
        merged([
          [
            [-1, -1],
            [-90, -50],
          ],
          [
            [1, 1],
            [90, 50],
          ],
        ]),
      ).size,
    ).toBe(3)
  })

  it('leaves no two vertices closer than near, no point and no double, and merges the same again to the same', () => {
    const line = fc.array(fc.tuple(fc.integer({ min: -80, max: 80 }), fc.integer({ min: -80, max: 80 })), {
      minLength: 2,
      maxLength: 8,
    })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
        const mesh = merged(lines)
        const kept = [...used(mesh)]
        const gaps = kept.flatMap((v) =>
          kept.filter((w) => v < w).map((w) => Math.hypot(mesh.x[v]! - mesh.x[w]!, mesh.y[v]! - mesh.y[w]!)),
        )
        expect(Math.min(10, ...gaps)).toBe(10)
        const pairs = mesh.from.map((from, e) => [from, mesh.to[e]!].toSorted((a, b) => a - b).join(' '))
        expect(new Set(pairs).size).toBe(pairs.length)
        expect(mesh.from.every((from, e) => from !== mesh.to[e])).toBe(true)
        const again = structuredClone(mesh)
        mergeVertices(again, 10, (line) => line)
        expect(again).toEqual(mesh)
      }),
      { seed: 3 },
    )
  })
})
