import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawMesh } from './draw-mesh.ts'
import { nodeMesh } from './node-mesh.ts'
import { outlineFaces } from './outline-faces.ts'
import { type Point, ringArea } from './point.ts'
import { boardMesh, squareRing } from './small-meshes.ts'
import { traceFaces } from './trace-faces.ts'

const areaOf = (rings: readonly Point[][]): number => rings.reduce((sum, ring) => sum + ringArea(ring), 0)
const coordinate = fc.integer({ min: 20, max: 580 })
const lines = fc.array(fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 4 }), {
  maxLength: 5,
})

describe('traceFaces', () => {
  it('finds the squares of a board and nothing else', () => {
    const { rings, of } = traceFaces(boardMesh(6, 100))
    expect(rings.map(areaOf)).toEqual(Array.from({ length: 25 }, () => 10_000))
    expect([...of].filter((face) => face === -1).length).toBe(20)
  })

  it('puts an island into the smallest face around it', () => {
    const mesh = drawMesh([squareRing(0, 0, 900), squareRing(100, 100, 600), squareRing(300, 300, 100)])
    const areas = traceFaces(mesh).rings.map(areaOf)
    expect(areas.toSorted((a, b) => a - b)).toEqual([10_000, 350_000, 450_000])
  })

  it('parts a square whole, whatever is drawn into it', () => {
    fc.assert(
      fc.property(lines, (inner) => {
        const mesh = drawMesh([squareRing(0, 0, 600), ...inner])
        nodeMesh(mesh, 10, (line) => line)
        const faces = traceFaces(mesh)
        expect(faces.rings.reduce((sum, rings) => sum + areaOf(rings), 0)).toBeCloseTo(360_000, 3)
        faces.of.forEach((face, h) => {
          expect(face).toBe(faces.of[faces.next[h]!])
          expect(face).toBeLessThan(faces.rings.length)
        })
      }),
      { seed: 9, numRuns: 50 },
    )
  })
})

describe('outlineFaces', () => {
  it('covers with any grouping what the faces cover, and no group twice', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 4 }), (inner, groups) => {
        const mesh = drawMesh([squareRing(0, 0, 600), ...inner])
        nodeMesh(mesh, 10, (line) => line)
        const faces = traceFaces(mesh)
        const outlines = outlineFaces(mesh, faces, (face) => face % groups)
        const wanted = Array.from({ length: groups }, (_, g) =>
          faces.rings.reduce((sum, rings, face) => sum + (face % groups === g ? areaOf(rings) : 0), 0),
        )
        wanted.forEach((area, g) => expect(areaOf((outlines[g] ?? []).flat())).toBeCloseTo(area, 3))
      }),
      { seed: 4, numRuns: 50 },
    )
  })

  it('answers nothing for faces of no group', () => {
    const mesh = boardMesh(3, 100)
    expect(outlineFaces(mesh, traceFaces(mesh), () => -1)).toEqual([])
  })
})
