import { describe, expect, it } from 'vitest'
import { boardMesh } from '../plane/small-meshes.ts'
import { traceFaces } from '../plane/trace-faces.ts'
import type { DrawnLine } from '../streets/drawn-line.ts'
import type { Cell } from './cell.ts'
import { groupCells } from './group-cells.ts'

/** A board of cells of so many metres, grouped; `zoneOf` and `kindOf` are asked for each cell by column and row, and for each line. */
function grouped(
  size: number,
  side: number,
  zoneOf: (column: number, row: number) => number,
  kindOf: (line: number) => DrawnLine['kind'] = () => 'arterial',
) {
  const mesh = boardMesh(size + 1, side)
  const faces = traceFaces(mesh)
  const lines = Array.from({ length: 2 * size + 2 }, (_, line): DrawnLine => ({
    kind: kindOf(line),
    key: `${line}`,
    name: `${line}`,
    bridge: false,
    points: [],
  }))
  const at: string[] = []
  const cells = faces.rings.map((rings): Cell => {
    const [west, south] = [Math.min(...rings[0]!.map(([x]) => x)), Math.min(...rings[0]!.map(([, y]) => y))]
    at.push(`${west / side} ${south / side}`)
    const zone = zoneOf(west / side, south / side)
    return {
      rings,
      inner: [west + side / 2, south + side / 2],
      area: side * side,
      kind: zone < 0 ? 'water' : 'built',
      zone,
    }
  })
  const group = groupCells(mesh, faces, cells, lines)
  return { group, of: (column: number, row: number) => group[at.indexOf(`${column} ${row}`)]! }
}

describe('groupCells', () => {
  it('leaves large cells as they are', () => {
    expect(new Set(grouped(3, 700, () => 0).group).size).toBe(9)
  })

  it('joins small cells until each group is a neighbourhood, counted without gaps', () => {
    const { group } = grouped(5, 400, () => 0)
    const sizes = new Map<number, number>()
    for (const g of group) sizes.set(g, (sizes.get(g) ?? 0) + 160_000)
    expect(Math.min(...sizes.values())).toBeGreaterThan(450_000)
    expect([...sizes.keys()].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: sizes.size }, (_, g) => g),
    )
  })

  it('joins only what borders on one another', () => {
    const { group, of } = grouped(5, 400, () => 0)
    for (const wanted of new Set(group)) {
      const members = Array.from({ length: 25 }, (_, i) => [i % 5, Math.floor(i / 5)] as const).filter(
        ([c, r]) => of(c, r) === wanted,
      )
      const reached = new Set([members[0]!.join()])
      for (let round = 0; round < members.length; round++) {
        for (const [c, r] of members)
          if (
            [
              [c + 1, r],
              [c - 1, r],
              [c, r + 1],
              [c, r - 1],
            ].some((next) => reached.has(next.join()))
          )
            reached.add([c, r].join())
      }
      expect(reached.size).toBe(members.length)
    }
  })

  it('makes no more than 62 of them, however large the cells', () => {
    const { group } = grouped(9, 700, () => 0)
    expect(new Set(group).size).toBe(62)
  })

  it('prefers cells that were laid out together', () => {
    const { of } = grouped(2, 500, (column) => column)
    expect(of(0, 0)).toBe(of(0, 1))
    expect(of(1, 0)).toBe(of(1, 1))
    expect(of(0, 0)).not.toBe(of(1, 0))
  })

  it('keeps apart what a freeway parts', () => {
    // Lines 0 to 2 run along x: line 1 lies between the two rows.
    const { of } = grouped(
      2,
      500,
      () => 0,
      (line) => (line === 1 ? 'freeway' : 'arterial'),
    )
    expect(of(0, 0)).toBe(of(1, 0))
    expect(of(0, 0)).not.toBe(of(0, 1))
  })

  it('has no group for water', () => {
    const { of, group } = grouped(3, 700, (_, row) => (row === 1 ? -1 : 0))
    expect([of(0, 1), of(1, 1), of(2, 1)]).toEqual([-1, -1, -1])
    expect(Math.max(...group)).toBe(5)
  })

  it('gives an islet to the nearest mainland and leaves a larger island alone', () => {
    const island = (column: number, row: number): number =>
      row === 0 ? 0 : row === 2 && column === 1 ? 0 : -1
    const small = grouped(3, 480, island)
    expect(small.of(1, 2)).toBe(small.of(1, 0))
    const large = grouped(3, 520, island)
    expect(large.group.filter((g) => g === large.of(1, 2)).length).toBe(1)
  })
})
