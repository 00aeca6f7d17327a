import { describe, expect, it } from 'vitest'
import type { WaterBody } from '../plan/water-plan.ts'
import type { Mesh } from '../plane/mesh.ts'
import type { Point } from '../plane/point.ts'
import { squareRing } from '../plane/small-meshes.ts'
import type { DrawnLine } from './drawn-line.ts'
import { knotLines } from './knot-lines.ts'
import { tidyStreets } from './tidy-streets.ts'

const line = (kind: DrawnLine['kind'], key: string, points: Point[], bridge = false): DrawnLine => ({
  kind,
  key,
  name: key,
  bridge,
  points,
})
const tidied = (lines: DrawnLine[], water: WaterBody[] = [], seed = 1): Mesh => {
  const mesh = knotLines(lines)
  tidyStreets(seed, mesh, lines, water)
  return mesh
}
/** Metres left of a line. */
const left = (mesh: Mesh, line: number): number =>
  Math.round(
    mesh.from.reduce(
      (sum, a, e) =>
        sum +
        (mesh.line[e] === line
          ? Math.hypot(mesh.x[a]! - mesh.x[mesh.to[e]!]!, mesh.y[a]! - mesh.y[mesh.to[e]!]!)
          : 0),
      0,
    ),
  )

const ring = line('arterial', 'Ring', squareRing(0, 0, 600))

describe('tidyStreets', () => {
  it.each([
    ['local', 60, 0],
    ['local', 80, 80],
    ['collector', 200, 0],
    ['collector', 220, 220],
    ['shore', 60, 60],
  ] as const)('of a dead end (%s) of %i metres leaves %i', (kind, metres, expected) => {
    expect(
      left(
        tidied([
          ring,
          line(kind, 'Close', [
            [300, 600],
            [300, 600 + metres],
          ]),
        ]),
        1,
      ),
    ).toBe(expected)
  })

  it('takes the ends off that stick out over a road', () => {
    const mesh = tidied([
      ring,
      line('collector', 'Across', [
        [300, -30],
        [300, 640],
      ]),
    ])
    expect(left(mesh, 1)).toBe(600)
  })

  it('takes streets out of the water, but not bridges', () => {
    const shore = line('shore', 'Bay', squareRing(100, 100, 400))
    const water = [{ name: 'Bay', island: false, ring: squareRing(100, 100, 400) }]
    expect(
      left(
        tidied(
          [
            ring,
            shore,
            line('collector', 'Pier', [
              [300, 0],
              [300, 600],
            ]),
          ],
          water,
        ),
        2,
      ),
    ).toBe(200)
    expect(
      left(
        tidied(
          [
            ring,
            shore,
            line(
              'collector',
              'Bridge',
              [
                [300, 0],
                [300, 600],
              ],
              true,
            ),
          ],
          water,
        ),
        2,
      ),
    ).toBe(600)
    expect(
      left(
        tidied(
          [
            ring,
            shore,
            line('collector', 'Dam', [
              [300, 0],
              [300, 600],
            ]),
          ],
          [],
        ),
        2,
      ),
    ).toBe(600)
  })

  it('joins a sliver of a block to the next, over its longest small street', () => {
    const narrow = [
      line('local', 'A', [
        [300, 0],
        [300, 600],
      ]),
      line('local', 'B', [
        [316, 0],
        [316, 600],
      ]),
    ]
    const mesh = tidied([ring, ...narrow])
    expect([left(mesh, 1), left(mesh, 2)].toSorted()).toEqual([0, 600])
    const wide = tidied([
      ring,
      narrow[0]!,
      line('local', 'B', [
        [400, 0],
        [400, 600],
      ]),
    ])
    expect([left(wide, 1), left(wide, 2)]).toEqual([600, 600])
  })

  it('never drops a main road for a sliver', () => {
    const mesh = tidied([
      ring,
      line('arterial', 'A', [
        [300, 0],
        [300, 600],
      ]),
      line('arterial', 'B', [
        [316, 0],
        [316, 600],
      ]),
    ])
    expect([left(mesh, 1), left(mesh, 2)]).toEqual([600, 600])
  })

  it('leaves the share of gaps the zone has, in local streets only', () => {
    const at = Array.from({ length: 13 }, (_, i) => 100 + i * 100)
    const board = (kind: 'local' | 'collector', district: string): DrawnLine[] => [
      line('arterial', 'Ring', squareRing(0, 0, 1400)),
      ...at.map((y) =>
        line(kind, `${district} true ${y}`, [
          [0, y],
          [1400, y],
        ]),
      ),
      ...at.map((x) =>
        line(kind, `${district} false ${x}`, [
          [x, 0],
          [x, 1400],
        ]),
      ),
    ]
    const share = (lines: DrawnLine[], seed: number): number => {
      const mesh = tidied(lines, [], seed)
      return lines.slice(1).reduce((sum, _, i) => sum + left(mesh, i + 1), 0) / (26 * 1400)
    }
    expect(share(board('collector', 'Highlands'), 1)).toBe(1)
    expect(share(board('local', 'Nowhere'), 1)).toBe(1)
    // Chains are drawn by their first junction, so gaps come in twos: a wide margin.
    const shares = [1, 2, 3, 4].map((seed) => share(board('local', 'Highlands'), seed))
    for (const found of shares) expect(found).toBeGreaterThan(0.68)
    for (const found of shares) expect(found).toBeLessThan(0.95)
    expect(new Set(shares).size).toBe(4)
  })
})
