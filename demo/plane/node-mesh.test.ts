import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawMesh } from './draw-mesh.ts'
import type { Mesh } from './mesh.ts'
import { nodeMesh } from './node-mesh.ts'
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
