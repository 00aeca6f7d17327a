import { describe, expect, it } from 'vitest'
import { placeNames } from '../plan/place-names.ts'
import { zones } from '../plan/zones.ts'
import type { Point } from '../plane/point.ts'
import type { Cell } from './cell.ts'
import { nameGroups } from './name-groups.ts'

const cell = (inner: Point, area: number, zone: number): Cell => ({
  rings: [],
  inner,
  area,
  kind: 'built',
  zone,
})
const place = (name: string): Point => placeNames.find((candidate) => candidate.name === name)!.at

describe('nameGroups', () => {
  it('names a group after the nearest place', () => {
    const [x, y] = place('Seabright')
    expect(nameGroups([cell([x + 90, y - 40], 5e5, 7)], [0])).toEqual([
      { name: 'Seabright', district: zones[7]!.district },
    ])
  })

  it('gives a contested name to the closer group, whichever comes first, and the next name to the other', () => {
    const [x, y] = place('Gull Island')
    const cells = [cell([x + 60, y], 5e5, 4), cell([x + 20, y], 5e5, 4)]
    const named = nameGroups(cells, [0, 1])
    expect(named[1]!.name).toBe('Gull Island')
    expect(named[0]!.name).not.toBe('Gull Island')
    expect(nameGroups(cells.toReversed(), [0, 1]).map(({ name }) => name)).toEqual(
      named.map(({ name }) => name).reverse(),
    )
  })

  it('weighs the middle of a group by its cells, and takes the district of the largest', () => {
    const [from, to] = [place('Thornton'), place('Ocean View')]
    expect(nameGroups([cell(from, 9e6, 3), cell(to, 1e3, 7)], [0, 0])).toEqual([
      { name: 'Thornton', district: zones[3]!.district },
    ])
    expect(nameGroups([cell(from, 1e3, 3), cell(to, 9e6, 7)], [0, 0])).toEqual([
      { name: 'Ocean View', district: zones[7]!.district },
    ])
  })

  it('leaves out cells of no group, and finds as many names as there are groups', () => {
    const cells = placeNames
      .slice(0, 70)
      .map(({ at: [x, y] }, i) => cell([x + 31, y - 17], 5e5, i % zones.length))
    const group = cells.map((_, i) => (i < 2 ? -1 : i - 2))
    const names = nameGroups(cells, group).map(({ name }) => name)
    expect(names.length).toBe(68)
    expect(new Set(names).size).toBe(68)
  })
})
