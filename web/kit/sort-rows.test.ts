import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSorting, sortRows } from './sort-rows.ts'
import type { TableColumn } from './table-column.ts'

interface Row {
  name: string
  trips: number | null
}
const columns: TableColumn<Row>[] = [
  { key: 'name', title: 'Name', value: (row) => row.name },
  { key: 'trips', title: 'Trips', value: (row) => row.trips },
]
const rows: Row[] = [
  { name: 'Ward 10', trips: 5 },
  { name: 'ward 2', trips: null },
  { name: 'Ward 1', trips: 20 },
]
const names = (sorted: readonly Row[]) => sorted.map((row) => row.name)

describe('sorting', () => {
  it('compares numbers within names numerically', () => {
    expect(names(sortRows(rows, columns, { key: 'name', isDescending: false }))).toEqual([
      'Ward 1',
      'ward 2',
      'Ward 10',
    ])
  })

  it('puts missing values last in both directions', () => {
    expect(names(sortRows(rows, columns, { key: 'trips', isDescending: false }))).toEqual([
      'Ward 10',
      'Ward 1',
      'ward 2',
    ])
    expect(names(sortRows(rows, columns, { key: 'trips', isDescending: true }))).toEqual([
      'Ward 1',
      'Ward 10',
      'ward 2',
    ])
  })

  it('leaves the rows unsorted without a sorting, or with an unknown column', () => {
    expect(sortRows(rows, columns, null)).toBe(rows)
    expect(sortRows(rows, columns, { key: 'gone', isDescending: false })).toBe(rows)
  })

  it('cycles through ascending, descending and unsorted', () => {
    const up = nextSorting(null, 'name')
    const down = nextSorting(up, 'name')
    expect([up, down, nextSorting(down, 'name')]).toEqual([
      { key: 'name', isDescending: false },
      { key: 'name', isDescending: true },
      null,
    ])
    expect(nextSorting(down, 'trips')).toEqual({ key: 'trips', isDescending: false })
  })
})

describe('any rows', () => {
  const row = fc.record({
    name: fc.string({ maxLength: 4 }),
    trips: fc.option(fc.integer({ min: -5, max: 5 })),
  })
  const sorting = fc.record({ key: fc.constantFrom('name', 'trips'), isDescending: fc.boolean() })

  it('are all retained, and the input is not modified', () => {
    fc.assert(
      fc.property(fc.array(row), sorting, (input, order) => {
        const before = [...input]
        const sorted = sortRows(input, columns, order)
        expect(input).toEqual(before)
        expect(new Set(sorted)).toEqual(new Set(input))
        expect(sorted).toHaveLength(input.length)
      }),
    )
  })

  it('with numbers are sorted stably, missing ones last', () => {
    fc.assert(
      fc.property(fc.array(row), fc.boolean(), (input, isDescending) => {
        const turn = isDescending ? -1 : 1
        const sorted = sortRows(input, columns, { key: 'trips', isDescending })
        const expected = [
          ...input.filter(({ trips }) => trips !== null).toSorted((a, b) => turn * (a.trips! - b.trips!)),
          ...input.filter(({ trips }) => trips === null),
        ]
        expect(sorted).toEqual(expected)
      }),
    )
  })

  it('sorted twice are the same as sorted once', () => {
    fc.assert(
      fc.property(fc.array(row), sorting, (input, order) => {
        const once = sortRows(input, columns, order)
        expect(sortRows(once, columns, order)).toEqual(once)
      }),
    )
  })
})
