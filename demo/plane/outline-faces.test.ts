import { describe, expect, it } from 'vitest'
import { drawMesh } from './draw-mesh.ts'
import { nodeMesh } from './node-mesh.ts'
import { outlineFaces } from './outline-faces.ts'
import { type Point, ringArea } from './point.ts'
import { traceFaces, type Faces } from './trace-faces.ts'
import type { Mesh } from './mesh.ts'

const facesOf = (lines: Point[][]): { mesh: Mesh; faces: Faces } => {
  const mesh = drawMesh(lines)
  nodeMesh(mesh, 5, (line) => line)
  return { mesh, faces: traceFaces(mesh) }
}
const square = (west: number, south: number, side: number): Point[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const areaOf = (rings: Point[][]): number => rings.reduce((sum, ring) => sum + ringArea(ring), 0)

describe('traceFaces', () => {
  it('finds the four quarters of a crossed square', () => {
    const { faces } = facesOf([
      square(0, 0, 100),
      [
        [50, -10],
        [50, 110],
      ],
      [
        [-10, 50],
        [110, 50],
      ],
    ])
    expect(faces.rings.map(areaOf)).toEqual([2500, 2500, 2500, 2500])
  })

  it('knows that an island leaves a hole in the water around it', () => {
    const { faces } = facesOf([square(0, 0, 100), square(40, 40, 20)])
    expect(faces.rings.map(areaOf).toSorted((a, b) => a - b)).toEqual([400, 9600])
  })

  it('is not misled by dead ends', () => {
    const { faces } = facesOf([
      square(0, 0, 100),
      [
        [50, -10],
        [50, 50],
      ],
    ])
    expect(faces.rings.map(areaOf)).toEqual([10_000])
  })
})

describe('outlineFaces', () => {
  it('draws around a group what was inside it', () => {
    const { mesh, faces } = facesOf([
      square(0, 0, 100),
      [
        [50, -10],
        [50, 110],
      ],
      [
        [-10, 50],
        [110, 50],
      ],
    ])
    const [all] = outlineFaces(mesh, faces, () => 0)
    expect(all!.length).toBe(1)
    expect(all![0]!.length).toBe(1)
    expect(areaOf(all![0]!)).toBe(10_000)
    expect(all![0]![0]![0]).toEqual(all![0]![0]!.at(-1))
  })

  it('leaves dead ends out', () => {
    const { mesh, faces } = facesOf([
      square(0, 0, 100),
      [
        [50, -10],
        [50, 50],
      ],
    ])
    const outline = outlineFaces(mesh, faces, () => 0)[0]![0]![0]!
    expect(outline.some(([x, y]) => x === 50 && y === 50)).toBe(false)
  })

  it('keeps holes as holes', () => {
    const { mesh, faces } = facesOf([square(0, 0, 100), square(40, 40, 20)])
    const outer = faces.rings.findIndex((rings) => rings.length === 2)
    const [sea] = outlineFaces(mesh, faces, (face) => (face === outer ? 0 : -1))
    expect(sea![0]!.map(ringArea)).toEqual([10_000, -400])
  })

  it('parts what touches at a corner only', () => {
    const { mesh, faces } = facesOf([
      square(0, 0, 100),
      [
        [50, -10],
        [50, 110],
      ],
      [
        [-10, 50],
        [110, 50],
      ],
    ])
    const diagonal = faces.rings.map(([ring]) => {
      const [x, y] = [
        ring!.reduce((sum, p) => sum + p[0], 0) / 4,
        ring!.reduce((sum, p) => sum + p[1], 0) / 4,
      ]
      return x < 50 === y < 50 ? 0 : -1
    })
    const [group] = outlineFaces(mesh, faces, (face) => diagonal[face]!)
    expect(group!.length).toBe(2)
    expect(group!.map(areaOf)).toEqual([2500, 2500])
  })
})
